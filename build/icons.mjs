// Draws the icons: two bars side by side, one up and one down, on a dark tile. PNG for Linux and the tray, ICO for Windows,
// ICNS for macOS, all from the same shapes, so that no picture has to be kept.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const TILE = [0x15, 0x16, 0x19, 255];
const LONG = [0x2f, 0xb5, 0x7c, 255];
const SHORT = [0xff, 0x7a, 0x7a, 255];
const BLACK = [0, 0, 0, 255];
/** Samples per pixel and direction: smooth edges. */
const FINE = 4;

/** Rounded rectangles in a square of side 1. */
const TILE_SHAPE = { x: 0.04, y: 0.04, width: 0.92, height: 0.92, radius: 0.2 };
const BARS = [
  { x: 0.27, y: 0.2, width: 0.16, height: 0.46, radius: 0.06 },
  { x: 0.57, y: 0.34, width: 0.16, height: 0.46, radius: 0.06 },
];
const COLOURED = [
  { ...TILE_SHAPE, colour: TILE },
  { ...BARS[0], colour: LONG },
  { ...BARS[1], colour: SHORT },
];
/** macOS colours a template by the menu bar. */
const TEMPLATE = BARS.map((bar) => ({ ...bar, colour: BLACK }));

/** Writes every icon into `folder`. */
export function drawIcons(folder) {
  mkdirSync(folder, { recursive: true });
  const sizes = new Map([16, 32, 48, 64, 128, 256, 512, 1024].map((size) => [size, png(size, COLOURED)]));
  const write = (name, content) => writeFileSync(join(folder, name), content);
  write('icon.png', sizes.get(512));
  write('tray.png', png(32, COLOURED));
  write('trayTemplate.png', png(18, TEMPLATE));
  write('trayTemplate@2x.png', png(36, TEMPLATE));
  write('icon.ico', ico([16, 32, 48, 64, 128, 256].map((size) => [size, sizes.get(size)])));
  const types = { 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };
  write('icon.icns', icns(Object.entries(types).map(([size, type]) => [type, sizes.get(Number(size))])));
}

function png(size, shapes) {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rows.set(pixel(x, y, size, shapes), y * (size * 4 + 1) + 1 + x * 4);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // 8 bits a channel, RGBA.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The mean of its samples; the shape that is drawn last is on top. */
function pixel(x, y, size, shapes) {
  const sum = [0, 0, 0, 0];
  for (let at = 0; at < FINE * FINE; at += 1) {
    const u = (x + ((at % FINE) + 0.5) / FINE) / size;
    const v = (y + (Math.floor(at / FINE) + 0.5) / FINE) / size;
    const shape = shapes.findLast((one) => covers(one, u, v));
    if (shape === undefined) continue;
    for (let channel = 0; channel < 3; channel += 1) sum[channel] += shape.colour[channel];
    sum[3] += 1;
  }
  const [red, green, blue, covered] = sum;
  if (covered === 0) return [0, 0, 0, 0];
  const share = (total) => Math.round(total / covered);
  return [share(red), share(green), share(blue), Math.round((covered / (FINE * FINE)) * 255)];
}

function covers({ x, y, width, height, radius }, u, v) {
  const dx = Math.max(Math.abs(u - x - width / 2) - (width / 2 - radius), 0);
  const dy = Math.max(Math.abs(v - y - height / 2) - (height / 2 - radius), 0);
  return dx * dx + dy * dy <= radius * radius;
}

function chunk(type, content) {
  const name = Buffer.from(type, 'latin1');
  const sized = Buffer.alloc(8 + content.length + 4);
  sized.writeUInt32BE(content.length, 0);
  name.copy(sized, 4);
  content.copy(sized, 8);
  sized.writeUInt32BE(crc32(content, crc32(name)), 8 + content.length);
  return sized;
}

/** A directory of PNGs; 0 stands for 256. */
function ico(images) {
  const directory = Buffer.alloc(6 + 16 * images.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(images.length, 4);
  let offset = directory.length;
  images.forEach(([size, content], index) => {
    const entry = 6 + 16 * index;
    directory[entry] = size % 256;
    directory[entry + 1] = size % 256;
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(content.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += content.length;
  });
  return Buffer.concat([directory, ...images.map(([, content]) => content)]);
}

function icns(images) {
  const parts = images.map(([type, content]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(8 + content.length, 4);
    return Buffer.concat([head, content]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4);
  return Buffer.concat([head, ...parts]);
}
