/** The limits that a person can write down: between fields of the form and the gateway's JSON. */
import { byId } from './screens.js';

/** @import { Mandate } from './interaction-api.js' */

const DAY_MS = 24 * 3_600_000;

/** Amounts and counts that an empty field does not limit. @type {Readonly<Record<string, 'text' | 'count'>>} */
const LIMITS = {
  maxOrderUsd: 'text',
  maxOpenedUsd24h: 'text',
  maxGrossUsd: 'text',
  maxLeverage: 'count',
  maxPositions: 'count',
  maxResting: 'count',
};

/** Further thresholds that suspend the agent, besides a loss. @type {Readonly<Record<string, 'text' | 'count'>>} */
const RUNAWAY = { refusals: 'count', reopenings: 'count', feesUsd: 'text' };

/** @param {string} name */
export const limitField = (name) => byId(`limit-${name}`, HTMLInputElement);

/** @param {string} name */
const choice = (name) => byId(`limit-${name}`, HTMLSelectElement);

/** @param {string} name */
const ticks = (name) =>
  /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`input[name="${name}"]`));

/** "12" → 12; anything else stays as it is, and the gateway says what is wrong with it. @param {string} text */
function count(text) {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** @param {Mandate} mandate */
export function fillForm(mandate) {
  for (const name of Object.keys(LIMITS)) limitField(name).value = String(mandate[name] ?? '');
  const runaway = /** @type {Record<string, unknown>} */ (mandate.runaway ?? {});
  for (const name of Object.keys(RUNAWAY)) limitField(name).value = String(runaway[name] ?? '');
  limitField('duplicates').checked = mandate.approval.duplicates === 'ask';
  limitField('lossStop').value = mandate.lossStop?.usd ?? '';
  choice('then').value = mandate.lossStop?.then ?? 'SUSPEND';
  choice('when').value = mandate.approval.when;
  limitField('aboveUsd').value = mandate.approval.aboveUsd ?? '';
  limitField('percent').value = mandate.maxSlippage === null ? '' : toPercent(mandate.maxSlippage);
  const days = mandate.validUntil === null ? null : (Date.parse(mandate.validUntil) - Date.now()) / DAY_MS;
  limitField('days').value = days === null ? '' : String(Math.max(1, Math.round(days)));
  limitField('manage').checked = mandate.manage === 'ALL';
  for (const box of ticks('kind')) box.checked = mandate.kinds.includes(box.value);
  for (const box of ticks('right')) box.checked = mandate.rights[box.value] === true;
  showAbove();
}

/** The amount above which a person is asked is there only where it means something. */
export function showAbove() {
  byId('above', HTMLElement).hidden = choice('when').value !== 'above';
}

/** Values of the fields. @param {Readonly<Record<string, 'text' | 'count'>>} fields */
function typed(fields) {
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const [name, kind] of Object.entries(fields)) {
    const text = limitField(name).value.trim();
    values[name] = text === '' ? null : kind === 'count' ? count(text) : text;
  }
  return values;
}

/**
 * @param {Mandate} base what the form does not show
 * @returns {Mandate}
 */
export function readForm(base) {
  const loss = limitField('lossStop').value.trim();
  const when = choice('when').value;
  const days = limitField('days').value.trim();
  const percent = limitField('percent').value.trim();
  return {
    ...base,
    ...typed(LIMITS),
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    lossStop: loss === '' ? null : { usd: loss, then: choice('then').value },
    approval: {
      ...base.approval,
      when,
      aboveUsd: when === 'above' ? limitField('aboveUsd').value.trim() || null : null,
      duplicates: limitField('duplicates').checked ? 'ask' : 'allow',
    },
    runaway: /** @type {NonNullable<Mandate['runaway']>} */ (typed(RUNAWAY)),
    maxSlippage: percent === '' ? null : toFraction(percent),
    validUntil: days === '' ? null : untilIn(days, base.validUntil),
    manage: limitField('manage').checked ? 'ALL' : 'OWN',
    kinds: [...ticks('kind')].filter((box) => box.checked).map((box) => box.value),
    rights: Object.fromEntries([...ticks('right')].map((box) => [box.value, box.checked])),
  };
}

/**
 * @param {string} days
 * @param {string | null} offered stays to the second while its days are not changed
 */
function untilIn(days, offered) {
  const whole = count(days);
  if (typeof whole === 'string' || whole > 3_650) return days;
  const from = offered === null ? null : Math.max(1, Math.round((Date.parse(offered) - Date.now()) / DAY_MS));
  return whole === from ? offered : new Date(Date.now() + whole * DAY_MS).toISOString();
}

/** "0.01" → "1", by the digits. @param {string} fraction */
function toPercent(fraction) {
  return shifted(fraction, 2);
}

/** "1" → "0.01"; what is no decimal stays. @param {string} percent */
function toFraction(percent) {
  return /^\d{1,3}(\.\d{1,16})?$/.test(percent) ? shifted(percent, -2) : percent;
}

/**
 * @param {string} decimal
 * @param {number} places to the right
 */
function shifted(decimal, places) {
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = `00${whole}${fraction}00`;
  const point = 2 + whole.length + places;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}
