// The rows of controls that depend on the model: a slider and a number for every parameter, a slider for every section.
const controls = (() => {
  const create = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const options = (select, values, names = values) => {
    select.replaceChildren(...values.map((value, i) => create("option", { value, textContent: names[i] })));
  };

  // `changed(name, value)` for every move. Returns {set(values)}.
  const parameters = (place, model, changed) => {
    const rows = model.parameters.map((one, i) => {
      const [low, high] = one.range, [from, to] = one.train;
      const share = (value) => (value - low) / (high - low || 1);
      const unit = one.unit && one.unit !== "1" ? ` [${one.unit}]` : "";
      const slider = create("input", { type: "range", id: `parameter-${i}`, min: low, max: high, step: (high - low) / 200 || 1 });
      const number = create("input", { type: "number", step: "any" });
      const range = create("p", { className: "range", id: `range-${i}`,
        textContent: `trained on ${figure.words(from)}${to > from ? ` to ${figure.words(to)}` : ""}` });
      const symbol = one.symbol && one.symbol !== one.name ? ` ${one.symbol}` : "";
      const label = create("label", { htmlFor: slider.id }, create("b", { textContent: one.name }), `${symbol}${unit}`);
      number.setAttribute("aria-label", `${one.name}, as a number`);
      for (const input of [slider, number]) input.setAttribute("aria-describedby", range.id);
      const row = create("div", { className: "parameter" }, create("div", { className: "row" }, label, number), slider, range);
      row.style.setProperty("--low", share(from));
      row.style.setProperty("--high", share(to));
      const mark = (value) => {
        const slack = 1e-9 * (to - from);
        row.classList.toggle("outside", value < from - slack || value > to + slack);
        slider.setAttribute("aria-valuetext", `${figure.words(value)}${row.classList.contains("outside") ? ", outside the training range" : ""}`);
      };
      slider.addEventListener("input", () => {
        const value = Number(slider.valueAsNumber.toPrecision(7));
        number.value = value;
        mark(value);
        changed(one.name, value);
      });
      number.addEventListener("input", () => {
        if (!Number.isFinite(number.valueAsNumber)) return; // half typed
        slider.value = number.value;
        mark(number.valueAsNumber);
        changed(one.name, number.valueAsNumber);
      });
      const set = (value) => {
        slider.value = value;
        number.value = value;
        mark(value);
      };
      return { row, set, name: one.name };
    });
    place.replaceChildren(...rows.map(({ row }) => row));
    return { set: (values) => rows.forEach(({ set, name }) => set(values[name])) };
  };

  // A slider for every axis but the curve's; the last, which is time where there is one, can be played. `changed(axis, place)`.
  const sections = (place, model, along, at, changed) => {
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const axes = model.axes.map((axis, d) => ({ ...axis, d })).filter(({ d }) => d !== along);
    let timer = 0, moved = null, played = null;
    const button = create("button", { type: "button", className: "play", textContent: "Play" });
    const rows = axes.map(({ name, unit, coordinates, d }) => {
      const slider = create("input", { type: "range", id: `section-${d}`, min: 0, max: coordinates.length - 1, step: 1, value: at[d] });
      const value = create("output", { htmlFor: slider.id });
      const tell = () => {
        const words = `${figure.words(coordinates[slider.value], 3)}${unit && unit !== "1" ? ` ${unit}` : ""}`;
        value.textContent = `${name} = ${words}`;
        slider.setAttribute("aria-valuetext", words);
      };
      const go = (index) => {
        slider.value = index;
        tell();
        changed(d, Number(slider.value));
      };
      slider.addEventListener("input", () => { pause(); go(slider.value); });
      tell();
      const row = create("div", { className: "section" }, create("label", { htmlFor: slider.id, textContent: name }), slider, value);
      return { row, d, go, index: () => Number(slider.value), last: coordinates.length - 1, tell, slider };
    });
    const pause = () => {
      clearTimeout(timer);
      timer = 0;
      button.textContent = "Play";
    };
    const step = () => {
      if (played.index() >= played.last) return pause();
      played.go(played.index() + 1);
      timer = setTimeout(step, still.matches ? 700 : Math.max(40, Math.min(250, 4000 / played.last)));
    };
    const play = () => {
      if (!played) return;
      if (timer) return pause();
      button.textContent = "Pause";
      if (played.index() >= played.last) played.go(0);
      timer = setTimeout(step, 100);
    };
    const move = (by) => {
      if (!played) return;
      pause();
      played.go(Math.max(0, Math.min(played.last, played.index() + by)));
    };
    played = rows.at(-1) ?? null;
    moved = Object.fromEntries(rows.map((row) => [row.d, row]));
    if (played) played.row.prepend(button);
    if (played) played.row.querySelector("label").className = "unseen";
    button.addEventListener("click", play);
    place.replaceChildren(...rows.map(({ row }) => row));
    return { play, pause, move, set: (d, index) => { pause(); moved[d]?.go(index); } };
  };

  return { options, parameters, sections };
})();
