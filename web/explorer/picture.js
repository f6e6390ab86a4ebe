// From an answer of the server to what is drawn: the curve through the sections chosen, the maps, and a sentence for each.
//
// `view` is {along, across, at: place on each axis, channel, show: {std, band, before, truth, maps}, limits: kept from picture to
// picture}; `answer` is {after, before or null}, each as /api/predict gives it.
const picture = (() => {
  const named = (thing) => (thing.unit && thing.unit !== "1" ? `${thing.name} [${thing.unit}]` : thing.name);
  const factor = 1.96;

  // The range of the last picture serves as long as the new one fills it well: a moving curve on axes that jump shows nothing.
  const steady = (limits, key, [low, high]) => {
    if (!(high > low)) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    const old = limits[key];
    if (old && low >= old.low && high <= old.high && high - low > 0.55 * (old.high - old.low)) return old;
    const margin = 0.06 * (high - low);
    limits[key] = { low: low - margin, high: high + margin };
    return limits[key];
  };

  const curve = (model, view, answer) => {
    const { after, before } = answer, { shape } = after, channels = shape.at(-1), c = view.channel;
    const cut = (values) => fields.along(values, shape, view.along, view.at, c);
    const series = [], mean = cut(after.mean), std = cut(after.std);
    const around = (name, colour, opacity, centre, width) =>
      series.push({ name, colour, opacity, low: centre.map((v, i) => v - width[i]), high: centre.map((v, i) => v + width[i]) });
    const ranges = [fields.reach(after.mean, view.show.std ? after.std.map((s) => factor * s) : null, channels, c)];
    const banded = after.band ? after : before;
    if (view.show.band && banded?.band) {
      around(`${words(100 * model.coverage, 3)} % band${banded === before ? ", before projection" : ""}`, "sky", 0.28, cut(banded.mean), cut(banded.band));
      ranges.push(fields.reach(banded.mean, banded.band, channels, c));
    }
    if (view.show.std) around("mean ± 1.96 std", "blue", 0.26, mean, std.map((s) => factor * s));
    if (before && view.show.before) {
      series.push({ name: "mean before projection", colour: "vermilion", dash: "2 4", y: cut(before.mean) });
      ranges.push(fields.reach(before.mean, null, channels, c));
    }
    if (after.truth && view.show.truth) {
      series.push({ name: "truth", colour: "ink", dash: "7 4", y: cut(after.truth) });
      ranges.push(fields.reach(after.truth, null, channels, c));
    }
    series.push({ name: before ? "mean, projected" : "mean", colour: "blue", y: mean });
    const axis = model.axes[view.along];
    return {
      x: { label: named(axis), values: axis.coordinates },
      y: { label: named(model.outputs[c]), ...steady(view.limits, `curve ${c}`, fields.range(ranges.flat())) },
      series,
    };
  };
  const words = (...value) => figure.words(...value);

  // "t = 0.5, y = 0.2": where the section lies.
  const place = (model, view, free) =>
    model.axes.flatMap((axis, d) => (free.includes(d) ? [] : [`${axis.name} = ${words(axis.coordinates[view.at[d]], 3)}${axis.unit && axis.unit !== "1" ? ` ${axis.unit}` : ""}`])).join(", ");

  const maps = (model, view, answer) => {
    const { after } = answer, { shape } = after, c = view.channel, channels = shape.at(-1);
    const [first, second] = [view.along, view.across];
    const over = (values) => fields.over(values, shape, first, second, view.at, c);
    const axes = { x: { label: named(model.axes[first]), values: model.axes[first].coordinates },
      y: { label: named(model.axes[second]), values: model.axes[second].coordinates },
      line: model.axes[second].coordinates[view.at[second]] };
    const of = (title, values, scale, [low, high]) => ({ ...axes, title, values, scale, low, high });
    const shown = after.truth && view.show.truth;
    const range = fields.range([after, ...(shown ? [{ mean: after.truth }] : [])].flatMap((one) => fields.reach(one.mean, null, channels, c)));
    const deviation = [0, fields.reach(after.std, null, channels, c)[1]];
    const list = [of(answer.before ? "mean, projected" : "mean", over(after.mean), "sequential", range),
      of("standard deviation", over(after.std), "heat", deviation)];
    if (shown) {
      const error = after.mean.map((v, i) => Math.abs(v - after.truth[i]));
      list.push(of("truth", over(after.truth), "sequential", range),
        of("|error|", over(error), "heat", [0, fields.reach(error, null, channels, c)[1]]));
    }
    return list;
  };
  // Height over width of the maps: that of the domain, where both axes are lengths.
  const aspect = (model, view) => {
    const length = (d) => model.axes[d].coordinates.at(-1) - model.axes[d].coordinates[0];
    const isTime = (d) => model.axes[d].name === "t" || model.axes[d].name === "time";
    if (isTime(view.along) || isTime(view.across) || model.axes[view.along].unit !== model.axes[view.across].unit) return 0.75;
    return Math.max(0.5, Math.min(1.4, length(view.across) / (length(view.along) || 1)));
  };

  // What a listener would want to know of the curve; and, where the truth is there, how good the whole answer is.
  const inWords = (model, view, answer) => {
    const { shape, mean, std } = answer.after, name = model.outputs[view.channel].name;
    const values = fields.along(mean, shape, view.along, view.at, view.channel);
    const widths = fields.along(std, shape, view.along, view.at, view.channel);
    const where = place(model, view, [view.along]);
    const [low, high] = fields.range(values);
    return `Mean of ${name} along ${model.axes[view.along].name}${where && ` at ${where}`}: from ${words(values[0], 3)} to ${words(values.at(-1), 3)}, ` +
      `least ${words(low, 3)}, greatest ${words(high, 3)}; standard deviation at most ${words(fields.range(widths)[1], 2)}.`;
  };
  const quality = (answer) => {
    const { mean, std, truth } = answer.after;
    if (!truth) return "";
    let squares = 0, size = 0, inside = 0;
    mean.forEach((v, i) => {
      squares += (v - truth[i]) ** 2;
      size += truth[i] ** 2;
      inside += Math.abs(v - truth[i]) <= factor * std[i];
    });
    return `Whole field: relative error ${words(100 * Math.sqrt(squares / size), 2)} %; the truth is within ±1.96 std at ${words((100 * inside) / mean.length, 3)} % of the points.`;
  };
  return { curve, maps, aspect, place, inWords, quality };
})();
