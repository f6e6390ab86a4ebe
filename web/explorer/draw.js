// The function a reader draws: a curve over one axis, or a map over two, with the pointer or the keyboard.
//
// Contract: draw(element, changed).show(spec) with {axes: one or two of {label, values}, values, limits} shows a function, flat and
// row-major; changed(values) is called with every new one.
const draw = (element, changed, fonts) => {
  const canvas = element.querySelector("canvas"), context = canvas.getContext("2d");
  let spec = null, cursor = [0, 0], last = null;
  const clamp = (value) => Math.max(spec.limits[0], Math.min(spec.limits[1], value));
  const isMap = () => spec.axes.length === 2;
  const brush = () => Number(element.querySelector("#brush").value);

  const paint = () => {
    if (!spec) return;
    const now = theme.now(), width = Math.max(120, element.clientWidth), sharp = devicePixelRatio || 1;
    const height = isMap() ? width : 130;
    Object.assign(canvas, { width: width * sharp, height: height * sharp });
    canvas.style.height = `${height}px`;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.fillStyle = figure.colour("paper", now);
    context.fillRect(0, 0, width, height);
    (isMap() ? paintMap : paintCurve)(width, height, now);
  };
  const paintCurve = (width, height, now) => {
    const n = spec.values.length, [low, high] = spec.limits;
    const x = (i) => 4 + (i / Math.max(1, n - 1)) * (width - 8), y = (v) => height - 8 - ((v - low) / (high - low || 1)) * (height - 16);
    context.strokeStyle = figure.colour("grid", now);
    context.strokeRect(0.5, 0.5, width - 1, height - 1);
    context.strokeStyle = figure.colour("purple", now);
    context.lineWidth = 2;
    context.beginPath();
    spec.values.forEach((v, i) => context.lineTo(x(i), y(v)));
    context.stroke();
    if (document.activeElement !== canvas) return;
    context.beginPath();
    context.arc(x(cursor[0]), y(spec.values[cursor[0]]), 5, 0, 7);
    context.stroke();
  };
  const paintMap = (width, height, now) => {
    const [nx, ny] = spec.axes.map((axis) => axis.values.length);
    for (let i = 0; i < nx; ++i)
      for (let j = 0; j < ny; ++j) {
        context.fillStyle = `rgb(${figure.shade("sequential", spec.values[i * ny + j], ...spec.limits)})`;
        context.fillRect((i * width) / nx, height - ((j + 1) * height) / ny, width / nx + 0.6, height / ny + 0.6);
      }
    if (document.activeElement !== canvas) return;
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    context.beginPath();
    context.arc(((cursor[0] + 0.5) * width) / nx, height - ((cursor[1] + 0.5) * height) / ny, 0.06 * width, 0, 7);
    context.stroke();
  };
  const set = (values) => {
    spec.values = values;
    paint();
    changed([...values]);
  };

  // --- Strokes: from the last place of the pointer to this one.
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    const across = (event.clientX - box.left) / box.width, up = 1 - (event.clientY - box.top) / box.height;
    return [Math.max(0, Math.min(1, across)), Math.max(0, Math.min(1, up))];
  };
  const strokeCurve = (from, to) => {
    const n = spec.values.length, [low, high] = spec.limits, values = [...spec.values];
    const a = Math.round(from[0] * (n - 1)), b = Math.round(to[0] * (n - 1));
    const height = (up) => clamp(low + ((up * 130 - 8) / 114) * (high - low));
    for (let i = Math.min(a, b); i <= Math.max(a, b); ++i) {
      const share = a === b ? 1 : (i - a) / (b - a);
      values[i] = height(from[1] + share * (to[1] - from[1]));
    }
    set(values);
  };
  const dab = (values, centre) => {
    const [nx, ny] = spec.axes.map((axis) => axis.values.length), radius = 0.06;
    for (let i = 0; i < nx; ++i)
      for (let j = 0; j < ny; ++j)
        if (Math.hypot((i + 0.5) / nx - centre[0], (j + 0.5) / ny - centre[1]) <= radius) values[i * ny + j] = brush();
  };
  const strokeMap = (from, to) => {
    const values = [...spec.values], steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 0.03) || 1;
    for (let s = 0; s <= steps; ++s) dab(values, from.map((x, d) => x + ((to[d] - x) * s) / steps));
    set(values);
  };
  // The keyboard goes on where the pointer was.
  const follow = (point) => { cursor = spec.axes.map((axis, d) => Math.round(point[d] * (axis.values.length - 1))); };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    last = place(event);
    follow(last);
    (isMap() ? strokeMap : strokeCurve)(last, last);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    const here = place(event);
    follow(here);
    (isMap() ? strokeMap : strokeCurve)(last, here);
    last = here;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { last = null; });

  // --- By keyboard: arrows move the place; on a curve, up and down lift it; on a map, the space bar paints.
  const lift = (sign) => {
    const n = spec.values.length, by = (sign * (spec.limits[1] - spec.limits[0])) / 25;
    set(spec.values.map((v, i) => clamp(v + by * Math.exp(-(((i - cursor[0]) / (0.04 * n)) ** 2)))));
  };
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step && !(event.key === " " && isMap())) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) {
      const values = [...spec.values];
      dab(values, cursor.map((c, d) => (c + 0.5) / spec.axes[d].values.length));
      set(values);
    } else if (!isMap() && step[1]) {
      lift(step[1]);
    } else {
      cursor = cursor.map((c, d) => {
        const n = spec.axes[d]?.values.length ?? 1;
        return Math.max(0, Math.min(n - 1, c + step[d] * Math.max(1, Math.round(n / 50))));
      });
      paint();
    }
  });
  for (const turn of ["focus", "blur"]) canvas.addEventListener(turn, paint);

  // --- Presets, over the whole range.
  const middle = () => (spec.limits[0] + spec.limits[1]) / 2, half = () => (spec.limits[1] - spec.limits[0]) / 2;
  const filled = (f) => {
    const [nx, ny = 1] = spec.axes.map((axis) => axis.values.length);
    return Array.from({ length: nx * ny }, (_, k) => f(Math.floor(k / ny) / Math.max(1, nx - 1), (k % ny) / Math.max(1, ny - 1)));
  };
  const smooth = () => {
    const sizes = spec.axes.map((axis) => axis.values.length);
    let values = spec.values;
    for (let pass = 0; pass < 3; ++pass)
      sizes.forEach((n, d) => {
        const step = d === 0 ? (sizes[1] ?? 1) : 1, before = values;
        const at = (k) => Math.floor(k / step) % n;
        values = before.map((v, k) => (2 * v + before[at(k) > 0 ? k - step : k] + before[at(k) < n - 1 ? k + step : k]) / 4);
      });
    return values;
  };
  const presets = {
    flat: () => filled(() => middle()),
    step: () => filled((x) => (x <= 0.5 ? spec.limits[1] : spec.limits[0])),
    sine: () => filled((x, y) => middle() + half() * Math.sin(2 * Math.PI * x) * (isMap() ? Math.cos(2 * Math.PI * y) : 1)),
    smooth,
  };
  for (const button of element.querySelectorAll("[data-preset]"))
    button.addEventListener("click", () => set(presets[button.dataset.preset]().map(clamp)));

  const show = (next) => {
    spec = next;
    cursor = spec.axes.map((axis, d) => Math.min(cursor[d] ?? 0, axis.values.length - 1));
    const size = element.querySelector("#brush");
    element.querySelector("#brush-row").hidden = !isMap();
    if (Number(size.min) !== spec.limits[0] || Number(size.max) !== spec.limits[1])
      Object.assign(size, { min: spec.limits[0], max: spec.limits[1], step: "any", value: spec.limits[1] });
    paint();
  };
  return { show, paint };
};
