// Draws the icons: the sign of renderer/icon.svg, one arrow up and one down on a blue tile. PNG for Linux and the tray, ICO
// for Windows, ICNS for macOS, all from the same shapes, so that no picture has to be kept.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const BLUE = [0x24, 0x59, 0xc4];
const WHITE = [0xff, 0xff, 0xff];
const BLACK = [0, 0, 0];
const AMBER = [0xe3, 0xb3, 0x41];
const DARK = [0x16, 0x17, 0x1a];

/** As in renderer/icon.svg: a square of side 32, corners of 7, and strokes with round ends. */
const SIDE = 32;
const CORNER = 7;
const STROKE = 2.6;
const ARROWS = [
  [11, 25, 11, 9],
  [11, 9, 7, 13],
  [11, 9, 15, 13],
  [21, 7, 21, 23],
  [21, 23, 17, 19],
  [21, 23, 25, 19],
];

/** How far a point is outside of a shape; negative inside. */
const tile = (x, y) => {
  const reach = SIDE / 2 - CORNER;
  const dx = Math.max(Math.abs(x - SIDE / 2) - reach, 0);
  const dy = Math.max(Math.abs(y - SIDE / 2) - reach, 0);
  return Math.hypot(dx, dy) - CORNER;
};
const arrows = (x, y) => {
  let nearest = Number.POSITIVE_INFINITY;
  for (const [ax, ay, bx, by] of ARROWS) {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1);
    nearest = Math.min(nearest, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return nearest - STROKE / 2;
};

const COLOURED = [
  { distance: tile, colour: BLUE },
  { distance: arrows, colour: WHITE },
];
/** Marks of the tray, at its lower right: a filled diamond for real money, an empty one for a test network. */
const diamond = (half) => (x, y) =>
  (Math.abs(x - (SIDE - 9.5)) + Math.abs(y - (SIDE - 9.5)) - half) / Math.SQRT2;
const LIVE = [...COLOURED, { distance: diamond(9.5), colour: DARK }, { distance: diamond(7), colour: AMBER }];
const TESTNET = [
  ...COLOURED,
  { distance: diamond(9.5), colour: DARK },
  { distance: diamond(7.5), colour: WHITE },
  { distance: diamond(4), colour: DARK },
];
/** A template image: macOS colours it by the menu bar. */
const TEMPLATE = [{ distance: arrows, colour: BLACK }];

/** Writes every icon into `folder`. */
export function drawIcons(folder) {
  mkdirSync(folder, { recursive: true });
  const sizes = new Map([16, 32, 48, 64, 128, 256, 512, 1024].map((size) => [size, png(size, COLOURED)]));
  const write = (name, content) => writeFileSync(join(folder, name), content);
  write('icon.png', sizes.get(512));
  write('tray.png', png(32, COLOURED));
  write('tray-live.png', png(32, LIVE));
  write('tray-testnet.png', png(32, TESTNET));
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

/** Each shape lies over the earlier ones; at its edge it covers the pixel only in part. */
function pixel(x, y, size, shapes) {
  const perPixel = SIDE / size;
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (const { distance, colour } of shapes) {
    const away = distance((x + 0.5) * perPixel, (y + 0.5) * perPixel) / perPixel;
    const covered = Math.min(Math.max(0.5 - away, 0), 1);
    if (covered === 0) continue;
    const total = covered + alpha * (1 - covered);
    const mix = (over, under) => (over * covered + under * alpha * (1 - covered)) / total;
    red = mix(colour[0], red);
    green = mix(colour[1], green);
    blue = mix(colour[2], blue);
    alpha = total;
  }
  return [Math.round(red), Math.round(green), Math.round(blue), Math.round(alpha * 255)];
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

/** An ICO file, a directory of PNGs; a size of 0 stands for 256. */
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
