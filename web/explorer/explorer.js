// The explorer: what the reader sets becomes a question, its answer a picture, a verdict and files.
{
  const $ = (id) => document.getElementById(id);
  const radios = [...document.querySelectorAll("input[name=source]")];
  const fonts = getComputedStyle(document.body).fontFamily;
  const shows = ["std", "band", "before", "truth", "maps"];
  const space = " \u2013 ";
  let models = [], model = null, state = null, answer = null, rows = null, cuts = null;

  // --- The state of one model, as it is at first.
  const isTime = (axis) => axis.name === "t" || axis.name === "time";
  const functionAxes = () => {
    const lengths = model.axes.flatMap((axis, d) => (isTime(axis) ? [] : [d]));
    return (lengths.length ? lengths : [0]).slice(0, 2);
  };
  const gridShape = () => model.axes.map((axis) => axis.coordinates.length);
  const canDraw = () => model.inputs.length === 1 && model.function_input !== false;
  const drawnCount = () => (canDraw() ? functionAxes().reduce((n, d) => n * model.axes[d].coordinates.length, 1) : 0);
  const drawnLimits = () => {
    const [low, high] = model.inputs[0]?.train ?? [0, 1];
    return high > low ? [low, high] : [low - 0.5, high + 0.5];
  };
  const fresh = () => {
    const lengths = model.axes.flatMap((axis, d) => (isTime(axis) ? [] : [d]));
    const along = lengths[0] ?? 0;
    const across = lengths[1] ?? model.axes.findIndex((_, d) => d !== along);
    return {
      source: model.parameters.length ? "parameters" : model.samples ? "sample" : "function",
      values: Object.fromEntries(model.parameters.map(({ name, value }) => [name, value])),
      sample: 0,
      drawn: null,
      projection: "none",
      view: { along, across, channel: 0, at: model.axes.map((axis) => Math.floor((isTime(axis) ? 0.99 : 0.5) * (axis.coordinates.length - 1))),
        show: { std: true, band: Boolean(model.coverage), before: true, truth: false, maps: lengths.length >= 2 }, limits: {} },
    };
  };
  const truthKnown = () => (state.source === "parameters" ? model.truth : state.source === "sample");

  // --- The question, and what comes back.
  const question = () => {
    const one = { model: model.name, projection: state.projection, truth: state.view.show.truth && truthKnown() };
    if (state.source === "sample") return { ...one, sample: state.sample };
    if (state.source === "function") return { ...one, input: fields.spread(state.drawn, gridShape(), functionAxes()) };
    return { ...one, parameters: { ...state.values } };
  };
  const answered = (next, started) => {
    if (!model || !next.after.shape.slice(0, -1).every((n, d) => n === model.axes[d]?.coordinates.length)) return;
    answer = next;
    drawAll();
    tellVerdict();
    if (state.source !== "function") showBoard();
    requestAnimationFrame(() => {
      const channel = new MessageChannel(); // its message comes after the frame is painted
      channel.port1.onmessage = () => timed(started);
      channel.port2.postMessage(0);
    });
  };
  const timed = (started) => {
    const end = performance.now();
    if (performance.getEntriesByName("slider to picture").length > 500) performance.clearMeasures();
    performance.measure("slider to picture", { start: started, end });
    rest();
    const inside = answer.after.milliseconds;
    $("time").textContent = `${Math.round(end - started)} ms from the question to the picture${inside === undefined ? "" : `, of which the server needed ${figure.words(inside, 2)} ms`}.`;
  };
  const rest = () => { if (asking.resting()) $("curve").setAttribute("aria-busy", "false"); };
  const troubled = (words) => {
    if (words) setTimeout(rest);
    $("trouble").hidden = !words;
    if ($("trouble").textContent !== words) $("trouble").textContent = words;
    document.body.classList.toggle("late", Boolean(words));
  };
  const asking = server(answered, troubled);
  let linking = 0;
  const remember = () => {
    clearTimeout(linking);
    linking = setTimeout(() => history.replaceState(null, "", link.write(model, state, drawnLimits())), 300);
  };
  const ask = () => {
    remember();
    $("curve").setAttribute("aria-busy", "true");
    asking.ask(question());
  };

  // --- Pictures.
  const drawCurve = () => {
    const width = Math.max(280, $("curve").clientWidth);
    const least = state.view.show.maps || innerWidth < 500;
    const height = Math.min(Math.max(240, 0.6 * width), least ? 270 : 470);
    $("curve").innerHTML = figure.curve({ ...picture.curve(model, state.view, answer), width, height }, theme.now(), fonts);
    $("curve").setAttribute("aria-label", picture.inWords(model, state.view, answer));
  };
  const drawMaps = () => {
    const on = state.view.show.maps && model.axes.length > 1;
    $("maps").hidden = !on;
    if (!on) return;
    const list = picture.maps(model, state.view, answer), rest = picture.place(model, state.view, [state.view.along, state.view.across]);
    $("maps").innerHTML = figure.maps(list, Math.max(280, $("maps").clientWidth), picture.aspect(model, state.view), theme.now(), fonts);
    $("maps").setAttribute("aria-label", `Maps: ${list.map(({ title }) => title).join(", ")}${rest && ` at ${rest}`}. The dashed line is the section that the curve shows.`);
  };
  const drawAll = () => {
    drawingBoard.paint();
    if (!answer) return;
    drawCurve();
    drawMaps();
    $("figures").textContent = picture.quality(answer);
  };

  // --- The verdict. A listener hears it once the slider rests.
  const phrases = { "in-domain": "like the training data", doubtful: "doubtful", "out-of-domain": "out of domain" };
  let hearing = 0;
  const tellVerdict = () => {
    const { trust } = answer.after, judged = Number.isFinite(trust.score);
    const verdict = judged ? trust.verdict : "none";
    const far = model.far ?? 2;
    $("verdict").dataset.verdict = verdict;
    $("verdict-word").textContent = phrases[verdict] ?? "no verdict";
    $("verdict-score").textContent = judged ? `score ${figure.words(trust.score, 3)}` : "";
    $("verdict-scale").textContent = judged ? `(up to 1 is usual, beyond ${figure.words(far)} out of domain)` : "";
    $("gauge").hidden = !judged;
    const score = trust.score ?? 0;
    const at = score <= 1 ? 0.4 * score : score <= far ? 0.4 + (0.3 * (score - 1)) / (far - 1) : 1 - 0.3 * (far / score);
    $("gauge").style.setProperty("--at", at);
    $("gauge").setAttribute("aria-valuemax", figure.words(Math.max(far, score), 3));
    $("gauge").setAttribute("aria-valuenow", score.toPrecision(3));
    const usual = judged ? "the inputs and the spread are as in the training data" : "this model was not calibrated to judge its answers";
    const lines = trust.reasons.length ? trust.reasons : [usual];
    $("reasons").replaceChildren(...lines.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
    clearTimeout(hearing);
    hearing = setTimeout(() => {
      const words = `Verdict: ${$("verdict-word").textContent}, ${$("verdict-score").textContent}. ${lines.join("; ")}.`;
      if ($("heard").textContent !== words) $("heard").textContent = words;
    }, 700);
  };

  // --- Drawn functions.
  const drawingBoard = draw($("drawing"), (values) => {
    state.drawn = fields.rounded(values, drawnLimits());
    if (state.source !== "function") {
      state.source = "function";
      sync();
    }
    ask();
  });
  // The input, drawn or not: whoever draws on it goes on with a function of theirs.
  const showBoard = () => {
    const seen = state.source === "function" ? state.drawn : answer?.after.input && fields.restricted(answer.after.input, gridShape(), functionAxes());
    row("drawing", canDraw() && Boolean(seen));
    if ($("drawing").hidden) return;
    const axes = functionAxes().map((d) => ({ values: model.axes[d].coordinates }));
    const names = functionAxes().map((d) => model.axes[d].name).join(", ");
    const keys = axes.length === 1 ? "left and right choose a place, up and down move it" : "arrows move the brush, space paints";
    $("drawing-help").textContent = `Input: ${model.inputs[0].name} over ${names}, ${drawnLimits().map((v) => figure.words(v, 3)).join(" to ")}. Draw in it with the pointer, or by keyboard: ${keys}.`;
    drawingBoard.show({ axes, values: seen, limits: drawnLimits() });
    $("brush-value").textContent = figure.words(Number($("brush").value), 3);
  };
  $("brush").addEventListener("input", () => { $("brush-value").textContent = figure.words(Number($("brush").value), 3); });
  const startDrawing = () => {
    const [low, high] = drawnLimits();
    const seen = answer?.after.input;
    const values = seen ? fields.restricted(seen, gridShape(), functionAxes()) : new Array(drawnCount()).fill((low + high) / 2);
    state.drawn = fields.rounded(values, [low, high]);
  };

  // --- Controls follow the state.
  const row = (id, on) => { $(id).hidden = !on; };
  const sync = () => {
    const { view } = state;
    for (const radio of radios) radio.checked = radio.value === state.source;
    if (state.source === "function" && !state.drawn) startDrawing();
    row("parameters", state.source === "parameters");
    row("sample-row", state.source === "sample");
    showBoard();
    rows.set(state.values);
    for (const id of ["sample", "sample-number"]) $(id).value = state.sample;
    $("projection").value = state.projection;
    $("channel").value = view.channel;
    $("along").value = view.along;
    $("across").value = view.across;
    const can = { std: true, band: Boolean(model.coverage), before: state.projection !== "none", truth: truthKnown(), maps: model.axes.length > 1 };
    for (const name of shows) {
      $(`show-${name}`).disabled = !can[name];
      $(`show-${name}`).checked = view.show[name] && can[name];
    }
    syncSections();
  };
  const syncSections = () => {
    cuts?.pause();
    cuts = controls.sections($("sections"), model, state.view.along, state.view.at, (d, index) => {
      state.view.at[d] = index;
      remember();
      if (answer) { drawCurve(); drawMaps(); }
    });
  };
  const setUp = (name, hash) => {
    model = models.find((one) => one.name === name) ?? models[0];
    state = fresh();
    answer = null;
    $("view").classList.toggle("plane", state.view.show.maps);
    link.read(hash, model, state, drawnCount(), drawnLimits());
    document.title = `${model.name}${space}nouq`;
    $("title").textContent = model.name;
    $("summary").textContent = [model.words, `Method: ${model.method}.`].filter(Boolean).join(model.words?.endsWith(".") ? " " : ". ");
    $("model").value = model.name;
    row("model-row", models.length > 1);
    const can = { parameters: model.parameters.length > 0, sample: model.samples > 0, function: canDraw() };
    for (const radio of radios) radio.parentElement.hidden = !can[radio.value];
    row("source-row", Object.values(can).filter(Boolean).length > 1);
    row("projection-row", model.projections.length > 1);
    row("channel-row", model.outputs.length > 1);
    row("along-row", model.axes.length > 1);
    row("across-row", model.axes.length > 2);
    const places = model.axes.map((_, d) => d), axisNames = model.axes.map((axis) => axis.name);
    controls.options($("projection"), model.projections);
    controls.options($("channel"), model.outputs.map((_, c) => c), model.outputs.map((one) => one.name));
    for (const id of ["along", "across"]) controls.options($(id), places, axisNames);
    for (const id of ["sample", "sample-number"]) $(id).max = model.samples - 1;
    $("band-name").textContent = model.coverage ? `${figure.words(100 * model.coverage, 3)} % band` : "band (the model has none)";
    rows = controls.parameters($("parameters"), model, (parameter, value) => {
      state.values[parameter] = value;
      ask();
    });
    sync();
    ask();
  };

  // --- Files.
  const stem = () => model.name.replace(/[^\w.-]+/g, "_");
  const wholePicture = () => {
    const width = 760, light = "light";
    const drawings = [figure.curve({ ...picture.curve(model, state.view, answer), width, height: 400 }, light, fonts)];
    if (state.view.show.maps && model.axes.length > 1)
      drawings.push(figure.maps(picture.maps(model, state.view, answer), width, picture.aspect(model, state.view), light, fonts));
    const asked = { parameters: Object.entries(state.values).map(([name, value]) => `${name} = ${figure.words(value)}`).join(", "),
      sample: `sample ${state.sample}`, function: "a drawn function" }[state.source];
    const where = picture.place(model, state.view, [state.view.along]);
    return figure.stack(drawings, width, [model.name, asked, where, $("verdict-word").textContent].filter(Boolean).join(space), light, fonts);
  };
  const arraysOf = () => {
    const { after, before } = answer;
    return { mean: after.mean, std: after.std, band: after.band, truth: after.truth, input: after.input,
      mean_before: before?.mean, std_before: before?.std, band_before: before?.band };
  };
  const saved = {
    svg: () => new Blob([wholePicture().svg], { type: "image/svg+xml" }),
    png: () => { const { svg, width, height } = wholePicture(); return files.png(svg, width, height); },
    csv: () => {
      const outputs = model.outputs.map((one) => one.name);
      const columns = Object.entries(arraysOf()).filter(([, values]) => values).flatMap(([name, values]) => {
        const channels = name === "input" ? model.inputs.map((one) => one.name) : outputs;
        return channels.map((channel, c) =>
          [channels.length > 1 || name === "input" ? `${name} ${channel}` : name, values.filter((_, i) => i % channels.length === c)]);
      });
      return files.csv(model.axes, columns);
    },
    npz: () => {
      const { shape, trust } = answer.after, grid = shape.slice(0, -1), arrays = {};
      for (const [name, values] of Object.entries(arraysOf()))
        if (values) arrays[name] = { shape: [...grid, values.length / grid.reduce((n, k) => n * k, 1)], values };
      for (const axis of model.axes) arrays[`axis_${axis.name}`] = { shape: [axis.coordinates.length], values: axis.coordinates };
      if (state.source === "parameters") for (const [name, value] of Object.entries(state.values)) arrays[`parameter_${name}`] = value;
      if (Number.isFinite(trust.score)) Object.assign(arrays, { trust_score: trust.score, trust_verdict: trust.verdict });
      return files.npz({ ...arrays, model: model.name, projection: state.projection });
    },
  };
  const done = (words) => { $("done").textContent = words; };
  for (const [ending, make] of Object.entries(saved))
    $(`save-${ending}`).addEventListener("click", async () => {
      if (!answer) return;
      const name = `${stem()}.${ending}`;
      files.save(name, await make());
      done(`Saved ${name}.`);
    });
  $("copy-link").addEventListener("click", async () => {
    history.replaceState(null, "", link.write(model, state, drawnLimits()));
    try {
      await navigator.clipboard.writeText(location.href);
      done("The link is in the clipboard.");
    } catch {
      done("The link is in the address bar.");
    }
  });

  // --- What the reader does.
  const changed = (id, event, act) => $(id).addEventListener(event, (e) => { act(e.target); sync(); ask(); });
  for (const radio of radios) radio.addEventListener("change", () => { state.source = radio.value; sync(); ask(); });
  changed("projection", "change", (select) => { state.projection = select.value; });
  $("model").addEventListener("change", () => setUp($("model").value, ""));
  for (const id of ["sample", "sample-number"])
    $(id).addEventListener("input", () => {
      const index = $(id).valueAsNumber;
      if (!Number.isInteger(index) || index < 0 || index >= model.samples) return;
      state.sample = index;
      for (const other of ["sample", "sample-number"]) if (other !== id) $(other).value = index;
      ask();
    });
  changed("show-truth", "change", (box) => { state.view.show.truth = box.checked; });
  const redrawn = (id, act) => $(id).addEventListener("change", (event) => { act(event.target); sync(); remember(); drawAll(); });
  for (const name of shows.filter((one) => one !== "truth")) redrawn(`show-${name}`, (box) => { state.view.show[name] = box.checked; });
  redrawn("channel", (select) => { state.view.channel = Number(select.value); });
  const otherAxis = (d) => model.axes.findIndex((_, k) => k !== d);
  redrawn("along", (select) => {
    state.view.along = Number(select.value);
    if (state.view.across === state.view.along) state.view.across = otherAxis(state.view.along);
  });
  redrawn("across", (select) => {
    state.view.across = Number(select.value);
    if (state.view.across === state.view.along) state.view.along = otherAxis(state.view.across);
  });
  // A press on a map moves the section there.
  const cut = (event) => {
    const map = event.target.closest("image.map");
    if (!map || !(event.buttons & 1)) return;
    event.preventDefault();
    const box = map.getBoundingClientRect(), { coordinates } = model.axes[state.view.across];
    const wanted = coordinates[0] + (1 - (event.clientY - box.top) / box.height) * (coordinates.at(-1) - coordinates[0]);
    const nearest = coordinates.reduce((best, v, i) => (Math.abs(v - wanted) < Math.abs(coordinates[best] - wanted) ? i : best), 0);
    if (nearest !== state.view.at[state.view.across]) cuts.set(state.view.across, nearest);
  };
  for (const event of ["pointerdown", "pointermove"]) $("maps").addEventListener(event, cut);

  const keys = {
    " ": () => cuts.play(),
    ",": () => cuts.move(-1),
    ".": () => cuts.move(1),
    p: () => {
      state.projection = model.projections[(model.projections.indexOf(state.projection) + 1) % model.projections.length];
      sync();
      ask();
    },
    t: () => $("show-truth").click(),
    m: () => $("show-maps").click(),
  };
  addEventListener("keydown", (event) => {
    if (!model || !$("use-keys").checked || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.matches("input[type=number], select, textarea, canvas") || (event.key === " " && target.matches("button, input, summary, a"))) return;
    const slider = /^[1-9]$/.test(event.key) ? $(`parameter-${event.key - 1}`) : null;
    const act = slider ? () => slider.focus() : Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act) return;
    event.preventDefault();
    act();
  });
  addEventListener("hashchange", () => { if (models.length) setUp(link.modelOf(location.hash) ?? model.name, location.hash); });

  // --- Begin.
  const begin = async () => {
    try {
      models = await asking.models();
      if (!models.length) throw new Error("The server has no models.");
    } catch (error) {
      troubled(error.message);
      $("summary").textContent = "";
      if (error.offline) setTimeout(begin, 2000);
      return;
    }
    troubled("");
    $("explorer").hidden = false;
    controls.options($("model"), models.map((one) => one.name));
    setUp(link.modelOf(location.hash), location.hash);
  };
  theme.watch(drawAll);
  let width = innerWidth;
  new ResizeObserver(() => {
    if (width === $("view").parentElement.clientWidth) return;
    width = $("view").parentElement.clientWidth;
    drawAll();
  }).observe($("explorer"));
  begin();
}
