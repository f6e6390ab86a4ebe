// Curves and maps as SVG text, in the look of the report's figures.
//
// Why text: the same drawing is put into the page, saved as a file and painted as PNG. Contract: whatever comes from a server is
// escaped; colours are the palette's for the theme asked for; a value that is not finite leaves a gap.
const figure = (() => {
  const palette = JSON.parse(document.getElementById("palette").textContent);
  const scales = JSON.parse(document.getElementById("scales").textContent);
  const colour = (name, theme) => palette[name][theme === "dark" ? 1 : 0];
  const escape = (text) => String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const round = (x) => Math.round(x * 100) / 100;

  // A number for people: so many digits, a real minus, no long tails.
  const words = (value, digits = 4) => {
    if (!Number.isFinite(value)) return "no number";
    const rounded = Number(value.toPrecision(digits));
    const text = Math.abs(rounded) >= 1e6 || (rounded !== 0 && Math.abs(rounded) < 1e-3) ? rounded.toExponential() : String(rounded);
    return text.replace("e+", "e").replace(/-/g, "\u2212");
  };
  const ticks = (low, high, count) => {
    if (!(high > low)) return [low];
    const raw = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((nice) => nice * power).find((nice) => nice >= raw * 0.999);
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  };
  const text = (x, y, content, { fill, anchor = "start", size = 12, weight = "", turn = "" }) =>
    `<text x="${round(x)}" y="${round(y)}" fill="${fill}" text-anchor="${anchor}" font-size="${size}"${weight && ` font-weight="${weight}"`}` +
    `${turn && ` transform="rotate(${turn} ${round(x)} ${round(y)})"`}>${escape(content)}</text>`;
  const line = (x1, y1, x2, y2, stroke, extra = "") =>
    `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" ${extra}/>`;
  const ruler = document.createElement("canvas").getContext("2d");
  const widthOf = (content, size = 12) => {
    ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    return ruler.measureText(content).width;
  };

  const wrap = (body, width, height, theme, fonts) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}"` +
    ` font-family="${escape(fonts)}"><rect width="100%" height="100%" fill="${colour("paper", theme)}"/>${body}</svg>`;

  // Axes of a box: grid lines, numbers, names.
  const frame = (box, x, y, theme, { lines = true } = {}) => {
    const ink = colour("ink", theme), muted = colour("muted", theme), grid = colour("grid", theme);
    const at = { x: (v) => box.left + ((v - x.low) / (x.high - x.low || 1)) * box.width,
      y: (v) => box.top + box.height - ((v - y.low) / (y.high - y.low || 1)) * box.height };
    let svg = "";
    for (const value of ticks(y.low, y.high, Math.max(2, box.height / 45))) {
      if (lines) svg += line(box.left, at.y(value), box.left + box.width, at.y(value), grid);
      svg += text(box.left - 7, at.y(value) + 4, words(value), { fill: muted, anchor: "end" });
    }
    for (const value of ticks(x.low, x.high, Math.max(2, Math.min(8, box.width / 70)))) {
      if (lines) svg += line(at.x(value), box.top, at.x(value), box.top + box.height, grid);
      svg += text(at.x(value), box.top + box.height + 17, words(value), { fill: muted, anchor: "middle" });
    }
    svg += text(box.left + box.width / 2, box.top + box.height + 35, x.label, { fill: ink, anchor: "middle", size: 13 });
    svg += text(13, box.top + box.height / 2, y.label ?? "", { fill: ink, anchor: "middle", size: 13, turn: "-90" });
    return { svg, at };
  };

  // Pieces of a path between values that are no numbers.
  const path = (xs, ys, at) => {
    let d = "", pen = false;
    xs.forEach((x, i) => {
      if (!Number.isFinite(ys[i])) { pen = false; return; }
      d += `${pen ? "L" : "M"}${round(at.x(x))} ${round(at.y(ys[i]))}`;
      pen = true;
    });
    return d;
  };
  const area = (xs, low, high, at) => {
    const back = xs.map((_, i) => xs.length - 1 - i);
    return `${path(xs, high, at)}${path(back.map((i) => xs[i]), back.map((i) => low[i]), at).replace(/^M/, "L")}Z`;
  };
  const sample = (series, x, y, theme) => {
    const c = colour(series.colour, theme);
    return series.low
      ? `<rect x="${x}" y="${y - 10}" width="22" height="12" fill="${c}" fill-opacity="${series.opacity}"/>`
      : line(x, y - 4, x + 22, y - 4, c, `stroke-width="2" stroke-dasharray="${series.dash ?? ""}"`);
  };
  // Names above the box, as many to a line as fit.
  const legend = (series, left, width, theme) => {
    let x = left, y = 16, svg = "";
    for (const one of series) {
      const need = 29 + widthOf(one.name, 13) + 18;
      if (x > left && x + need > left + width) { x = left; y += 20; }
      svg += sample(one, x, y, theme) + text(x + 29, y, one.name, { fill: colour("ink", theme), size: 13 });
      x += need;
    }
    return { svg, height: y + 12 };
  };

  // {width, height, x: {label, values}, y: {label, low, high}, series: [{name, colour, y, dash} or {name, colour, low, high, opacity}]}
  const curve = (spec, theme, fonts) => {
    const names = legend(spec.series, 12, spec.width - 20, theme);
    const yTicks = ticks(spec.y.low, spec.y.high, Math.max(2, (spec.height - 90) / 45)).map((v) => widthOf(words(v)));
    const left = Math.min(90, 30 + Math.max(24, ...yTicks));
    const box = { left, top: names.height + 4, width: spec.width - left - 14, height: spec.height - names.height - 50 };
    const [low, high] = [spec.x.values[0], spec.x.values.at(-1)];
    const { svg, at } = frame(box, { label: spec.x.label, low, high }, spec.y, theme);
    const body = spec.series.map((one) => {
      const c = colour(one.colour, theme);
      if (one.low) return `<path class="band" d="${area(spec.x.values, one.low, one.high, at)}" fill="${c}" fill-opacity="${one.opacity}"/>`;
      return `<path class="curve" data-name="${escape(one.name)}" d="${path(spec.x.values, one.y, at)}" fill="none" stroke="${c}"` +
        ` stroke-width="${one.thick ?? 2}" stroke-linejoin="round" stroke-dasharray="${one.dash ?? ""}"/>`;
    });
    const clip = `<clipPath id="box"><rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}"/></clipPath>`;
    return wrap(`${names.svg}${svg}${clip}<g clip-path="url(#box)">${body.join("")}</g>`, spec.width, spec.height, theme, fonts);
  };

  // --- Maps. Cells are painted as pixels of a small picture; where the grid is not even, of one fine enough to show it.
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const tables = Object.fromEntries(Object.entries(scales).map(([name, stops]) => [name, Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (stops.length - 1), below = Math.min(Math.floor(place), stops.length - 2);
    const a = parts(stops[below]), b = parts(stops[below + 1]);
    return a.map((part, k) => Math.round(part + (b[k] - part) * (place - below)));
  })]));
  const shade = (scale, value, low, high) =>
    tables[scale][Math.max(0, Math.min(255, Math.round(((value - low) / (high - low || 1)) * 255)))];
  const edges = (points) => {
    if (points.length === 1) return [points[0] - 0.5, points[0] + 0.5];
    const middle = points.slice(1).map((x, i) => (x + points[i]) / 2);
    return [points[0], ...middle, points.at(-1)];
  };
  // For each pixel the cell it lies in.
  const pixels = (points) => {
    const steps = points.slice(1).map((x, i) => x - points[i]);
    const even = steps.every((step) => Math.abs(step - steps[0]) < 1e-3 * Math.abs(steps[0]));
    if (even) return points.map((_, i) => i);
    const walls = edges(points), count = 256;
    let cell = 0;
    return Array.from({ length: count }, (_, p) => {
      const x = walls[0] + ((p + 0.5) / count) * (walls.at(-1) - walls[0]);
      while (cell < points.length - 1 && x > walls[cell + 1]) ++cell;
      return cell;
    });
  };
  const canvas = document.createElement("canvas");
  const paint = (map) => {
    const columns = pixels(map.x.values), rows = pixels(map.y.values);
    canvas.width = columns.length;
    canvas.height = rows.length;
    const context = canvas.getContext("2d"), image = context.createImageData(columns.length, rows.length);
    rows.forEach((j, r) => columns.forEach((i, c) => {
      const value = map.values[j][i], at = 4 * ((rows.length - 1 - r) * columns.length + c);
      const rgb = Number.isFinite(value) ? shade(map.scale, value, map.low, map.high) : [128, 128, 128];
      image.data.set([...rgb, 255], at);
    }));
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
  };
  const bar = (map, left, top, height, theme) => {
    let svg = "";
    for (let i = 0; i < 64; ++i) {
      const rgb = tables[map.scale][Math.round((i / 63) * 255)];
      svg += `<rect x="${left}" y="${round(top + height - ((i + 1) * height) / 64)}" width="10" height="${round(height / 64 + 0.6)}" fill="rgb(${rgb})"/>`;
    }
    const shown = map.high > map.low ? ticks(map.low, map.high, Math.max(2, height / 50)) : [map.low];
    for (const value of shown) {
      const y = top + height - ((value - map.low) / (map.high - map.low || 1)) * height;
      svg += text(left + 14, y + 4, words(value, 3), { fill: colour("muted", theme), size: 11 });
    }
    return svg;
  };
  // {title, x: {label, values}, y, values[y][x], scale, low, high, line: value of y or nothing}
  const tile = (map, place, theme) => {
    const box = { left: place.left + 48, top: place.top + 26, width: place.width - 120, height: place.height - 70 };
    const x = { label: map.x.label, low: map.x.values[0], high: map.x.values.at(-1) };
    const y = { low: map.y.values[0], high: map.y.values.at(-1) };
    const { svg, at } = frame(box, x, y, theme, { lines: false });
    let all = text(box.left, place.top + 16, map.title, { fill: colour("ink", theme), size: 13, weight: "600" }) + svg;
    all += text(place.left + 9, box.top + box.height / 2, map.y.label, { fill: colour("ink", theme), anchor: "middle", size: 13, turn: "-90" });
    all += `<image class="map" data-title="${escape(map.title)}" x="${round(box.left)}" y="${round(box.top)}" width="${round(box.width)}"` +
      ` height="${round(box.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${paint(map)}"/>`;
    if (map.line !== undefined) {
      // White on black, to be seen on every colour.
      for (const [stroke, thick] of [["#000", 3], ["#fff", 1.5]])
        all += line(box.left, at.y(map.line), box.left + box.width, at.y(map.line), stroke, `stroke-width="${thick}" stroke-dasharray="6 3"`);
    }
    return all + bar(map, box.left + box.width + 10, box.top, box.height, theme);
  };
  const maps = (list, width, aspect, theme, fonts) => {
    const columns = Math.min(list.length, Math.max(1, Math.floor(width / 250)), list.length === 4 ? 2 : 3);
    const size = { width: width / columns, height: Math.max(150, (width / columns - 120) * aspect + 70) };
    const body = list.map((map, i) =>
      tile(map, { left: (i % columns) * size.width, top: Math.floor(i / columns) * size.height, ...size }, theme));
    return wrap(body.join(""), width, Math.ceil(list.length / columns) * size.height, theme, fonts);
  };

  // Drawings below each other, as one.
  const stack = (drawings, width, title, theme, fonts) => {
    let top = 30, body = text(12, 20, title, { fill: colour("ink", theme), size: 13, weight: "600" });
    for (const svg of drawings) {
      body += svg.replace("<svg ", `<svg y="${round(top)}" `);
      top += Number(svg.match(/ height="([\d.]+)"/)[1]);
    }
    return { svg: wrap(body, width, top, theme, fonts), width, height: top };
  };

  return { curve, maps, stack, words, escape, colour, shade };
})();
