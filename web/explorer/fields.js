// Fields as the server sends them: flat, row-major, [axes..., channels]. And the numbers in links: functions as short text.
const fields = (() => {
  const strides = (shape) => {
    const steps = new Array(shape.length).fill(1);
    for (let d = shape.length - 2; d >= 0; --d) steps[d] = steps[d + 1] * shape[d + 1];
    return steps;
  };
  // Where a section begins: every axis at its place `at`, but those in `free` at their first.
  const origin = (steps, at, channel, free) =>
    at.reduce((sum, place, d) => sum + (free.includes(d) ? 0 : place * steps[d]), channel);

  // The values along one axis, the others at their places.
  const along = (values, shape, axis, at, channel) => {
    const steps = strides(shape);
    const start = origin(steps, at, channel, [axis]);
    return Array.from({ length: shape[axis] }, (_, i) => values[start + i * steps[axis]]);
  };
  // The values over two axes, [second][first].
  const over = (values, shape, first, second, at, channel) => {
    const steps = strides(shape);
    const start = origin(steps, at, channel, [first, second]);
    return Array.from({ length: shape[second] }, (_, j) =>
      Array.from({ length: shape[first] }, (_, i) => values[start + i * steps[first] + j * steps[second]]));
  };
  // A field that is a function of the axes `given` and the same along all others; the function is flat and row-major.
  const spread = (values, shape, given) => {
    const steps = strides(shape), inner = strides(given.map((d) => shape[d]));
    const count = shape.reduce((product, n) => product * n, 1);
    return Array.from({ length: count }, (_, k) =>
      values[given.reduce((place, d, i) => place + (Math.floor(k / steps[d]) % shape[d]) * inner[i], 0)]);
  };
  // The function of these axes where the others are at their first place.
  const restricted = (values, shape, given) => {
    const steps = strides(shape), inner = strides(given.map((d) => shape[d]));
    const count = given.reduce((product, d) => product * shape[d], 1);
    return Array.from({ length: count }, (_, k) =>
      values[given.reduce((place, d, i) => place + (Math.floor(k / inner[i]) % shape[d]) * steps[d], 0)]);
  };
  const range = (values) => {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : [0, 0];
  };
  // The range of one channel of mean - width to mean + width.
  const reach = (mean, width, channels, channel) => {
    let low = Infinity, high = -Infinity;
    for (let i = channel; i < mean.length; i += channels) {
      const by = width ? width[i] : 0;
      if (mean[i] - by < low) low = mean[i] - by;
      if (mean[i] + by > high) high = mean[i] + by;
    }
    return [low, high];
  };

  // A function for a link: 4096 levels of its range, two letters each, and how often a value is repeated.
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const levels = 4095;
  const toLevel = (value, [low, high]) =>
    Math.max(0, Math.min(levels, Math.round(((value - low) / (high - low || 1)) * levels)));
  const fromLevel = (level, [low, high]) => low + ((high - low) * level) / levels;
  const encode = (values, limits) => {
    let text = "";
    for (let i = 0; i < values.length;) {
      const level = toLevel(values[i], limits);
      let count = 1;
      while (i + count < values.length && toLevel(values[i + count], limits) === level) ++count;
      text += letters[level >> 6] + letters[level & 63] + (count > 1 ? `~${count}.` : "");
      i += count;
    }
    return text;
  };
  // Nothing when the text is no function of that many values.
  const decode = (text, count, limits) => {
    const values = [];
    for (const [, high, low, times] of text.matchAll(/([\w-])([\w-])(?:~(\d{1,6})\.)?/g)) {
      const value = fromLevel(letters.indexOf(high) * 64 + letters.indexOf(low), limits);
      for (let n = Math.min(Number(times ?? 1), count); n > 0 && values.length <= count; --n) values.push(value);
    }
    return values.length === count ? values : null;
  };
  const rounded = (values, limits) => values.map((value) => fromLevel(toLevel(value, limits), limits));

  return { along, over, spread, restricted, range, reach, encode, decode, rounded };
})();
