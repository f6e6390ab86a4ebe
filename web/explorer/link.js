// The state of the page as the part of its address after '#', and back. What a link says and the models do not know is passed over.
const link = (() => {
  const write = (model, state, limits) => {
    const words = new URLSearchParams({ model: model.name, from: state.source, projection: state.projection });
    if (state.source === "parameters" || state.source === "function")
      for (const [name, value] of Object.entries(state.values)) words.set(`p.${name}`, value);
    if (state.source === "sample") words.set("sample", state.sample);
    if (state.source === "function" && state.drawn) words.set("f", fields.encode(state.drawn, limits));
    model.axes.forEach((axis, d) => { if (d !== state.view.along) words.set(`at.${axis.name}`, state.view.at[d]); });
    words.set("along", model.axes[state.view.along].name);
    if (model.axes.length > 2) words.set("across", model.axes[state.view.across].name);
    if (state.view.channel) words.set("output", state.view.channel);
    words.set("show", Object.entries(state.view.show).filter(([, on]) => on).map(([name]) => name).join(" "));
    return `#${words}`;
  };

  const whole = (text, below) => {
    const number = Number(text);
    return text !== null && text !== "" && Number.isInteger(number) && number >= 0 && number < below ? number : null;
  };
  // Changes what of `state` the link speaks of; drawn functions need `count` values within `limits`.
  const read = (hash, model, state, count, limits) => {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    for (const { name } of model.parameters) {
      const value = Number(words.get(`p.${name}`) ?? NaN);
      if (Number.isFinite(value)) state.values[name] = value;
    }
    state.sample = whole(words.get("sample"), model.samples) ?? state.sample;
    if (words.has("f")) state.drawn = fields.decode(words.get("f"), count, limits) ?? state.drawn;
    const sources = { parameters: model.parameters.length > 0, sample: model.samples > 0, function: count > 0 };
    if (sources[words.get("from")]) state.source = words.get("from");
    if (model.projections.includes(words.get("projection"))) state.projection = words.get("projection");
    const axis = (name) => model.axes.findIndex((one) => one.name === words.get(name));
    if (axis("along") >= 0) state.view.along = axis("along");
    if (axis("across") >= 0) state.view.across = axis("across");
    if (state.view.across === state.view.along) state.view.across = model.axes.findIndex((_, d) => d !== state.view.along);
    model.axes.forEach(({ name, coordinates }, d) => {
      state.view.at[d] = whole(words.get(`at.${name}`), coordinates.length) ?? state.view.at[d];
    });
    state.view.channel = whole(words.get("output"), model.outputs.length) ?? state.view.channel;
    if (words.has("show"))
      for (const name of Object.keys(state.view.show)) state.view.show[name] = words.get("show").split(" ").includes(name);
  };
  const modelOf = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("model");
  return { write, read, modelOf };
})();
