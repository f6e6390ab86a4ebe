// Files the page writes by itself: NPZ (arrays as numpy reads them, in a zip that stores), CSV, SVG and PNG.
const files = (() => {
  const utf8 = new TextEncoder();

  // A number, a text or an array {shape, values} as .npy, format 1.0: magic, length of the header, header, little-endian data.
  const npy = (value) => {
    const isText = typeof value === "string";
    const shape = isText || typeof value === "number" ? [] : value.shape;
    const codes = isText ? [...value].map((letter) => letter.codePointAt(0)) : null;
    const type = isText ? `<U${codes.length}` : "<f8";
    const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
    let header = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
    header += " ".repeat(63 - ((10 + header.length) % 64)) + "\n";
    const numbers = isText ? codes : typeof value === "number" ? [value] : value.values;
    const bytes = new Uint8Array(10 + header.length + numbers.length * (isText ? 4 : 8));
    const view = new DataView(bytes.buffer);
    bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
    view.setUint16(8, header.length, true);
    bytes.set(utf8.encode(header), 10);
    numbers.forEach((number, i) => {
      if (isText) view.setUint32(10 + header.length + 4 * i, number, true);
      else view.setFloat64(10 + header.length + 8 * i, number, true);
    });
    return bytes;
  };

  const table = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
  });
  const crc32 = (bytes) => {
    let crc = 0xffffffff;
    for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
    return (crc ^ 0xffffffff) >>> 0;
  };
  // Little-endian fields, given as [bytes, value] pairs.
  const record = (...parts) => {
    const bytes = new Uint8Array(parts.reduce((sum, [size]) => sum + size, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const [size, value] of parts) {
      if (size === 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += size;
    }
    return bytes;
  };
  const zip = (entries) => {
    const pieces = [], directory = [];
    let at = 0;
    for (const [name, content] of entries) {
      const words = utf8.encode(name);
      // Version 2.0, names in UTF-8, stored, 1 January 1980: the same numbers make the same file.
      const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crc32(content)], [4, content.length],
        [4, content.length], [2, words.length], [2, 0]];
      const local = record([4, 0x04034b50], ...common);
      directory.push(record([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), words);
      pieces.push(local, words, content);
      at += local.length + words.length + content.length;
    }
    const size = directory.reduce((sum, piece) => sum + piece.length, 0);
    const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, size], [4, at], [2, 0]);
    return new Blob([...pieces, ...directory, end], { type: "application/zip" });
  };
  const npz = (arrays) => zip(Object.entries(arrays).map(([name, value]) => [`${name.replace(/[/\\]/g, "_")}.npy`, npy(value)]));

  // One line per point of the grid: its coordinates, then the columns.
  const quoted = (name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const csv = (axes, columns) => {
    const sizes = axes.map((axis) => axis.coordinates.length);
    const lines = [[...axes.map((axis) => axis.name), ...columns.map(([name]) => name)].map(quoted).join(",")];
    const count = sizes.reduce((product, n) => product * n, 1);
    for (let i = 0; i < count; ++i) {
      const places = [];
      for (let d = sizes.length - 1, rest = i; d >= 0; rest = Math.floor(rest / sizes[d]), --d)
        places.unshift(axes[d].coordinates[rest % sizes[d]]);
      lines.push([...places, ...columns.map(([, values]) => values[i])].join(","));
    }
    return new Blob([lines.join("\n") + "\n"], { type: "text/csv" });
  };

  // A drawing twice as fine as on the screen.
  const png = async (svg, width, height) => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    try {
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    } finally {
      URL.revokeObjectURL(image.src);
    }
  };

  const save = (name, blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  return { npz, csv, png, save };
})();
