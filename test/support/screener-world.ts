/** The made instruments of `test/data/screener-reference.py`, drawn the same way. */
export const WORLD_HOURS = 2_160;
export const WORLD_INSTRUMENTS = 100;

/** ln of the prices, one instrument after the other; NaN: not known. */
export function screenerWorld(): readonly Float64Array[] {
  let state = 20_260_131;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  let market = 0;
  const groups = new Float64Array(10);
  const own = new Float64Array(WORLD_INSTRUMENTS);
  const columns = Array.from({ length: WORLD_INSTRUMENTS }, () => new Float64Array(WORLD_HOURS));
  for (let hour = 0; hour < WORLD_HOURS; hour += 1) {
    market += draw() * 0.02;
    for (let group = 0; group < 10; group += 1) groups[group] = (groups[group] ?? 0) + draw() * 0.01;
    for (const [i, column] of columns.entries()) {
      const keep = i % 3 === 0 ? 1 : 0.9 + 0.001 * i;
      own[i] = keep * (own[i] ?? 0) + draw() * 0.01;
      column[hour] = Math.log(1 + i) + (0.5 + 0.01 * i) * market + (groups[i % 10] ?? 0) + (own[i] ?? 0);
    }
  }
  for (let hour = 0; hour < WORLD_HOURS; hour += 7) columns[97]?.fill(Number.NaN, hour, hour + 1);
  columns[98]?.fill(Number.NaN, 0, WORLD_HOURS - 500);
  columns[99]?.fill(0);
  return columns;
}

/** IDs that sort as the instruments are numbered. */
export const worldId = (index: number): string => `I${String(index).padStart(3, '0')}-PERP`;
