/**
 * Limits in money of an agent that may trade: a preset, the agent's own proposal or the person's numbers, on the
 * accounts that are ticked. The gateway puts each choice into sentences; only what stands there in words can be allowed.
 */
import { sayMandate } from './interaction-api.js';
import { fillForm, readForm, showAbove } from './limits-form.js';
import { sinceWords } from './plain-words.js';
import { byId, complain } from './screens.js';

/** @import { Mandate, Refusal, Terms, TermsAccount } from './interaction-api.js' */

const TYPING_MS = 200;
const PROPOSAL = 'proposal';
const OFFERED = ['play_money', 'small_and_asked', PROPOSAL, 'own_numbers'];
/** With these the numbers can be changed. */
const EDITABLE = [PROPOSAL, 'own_numbers'];
/** Fields of a mandate whose field of the form has another name. @type {Readonly<Record<string, string>>} */
const FIELDS = {
  'lossStop.usd': 'lossStop',
  'approval.aboveUsd': 'aboveUsd',
  'runaway.refusals': 'refusals',
  'runaway.reopenings': 'reopenings',
  'runaway.feesUsd': 'feesUsd',
  maxSlippage: 'percent',
  validUntil: 'days',
};
const MONEY = { PAPER: 'play money', TESTNET: 'test network', LIVE: 'REAL MONEY' };

/**
 * @param {string} uid
 * @param {{ changed: () => void, refused: (refusal: Refusal) => Promise<void> }} outcome
 */
export function createLimits(uid, outcome) {
  const group = byId('limits', HTMLElement);
  const problem = byId('limits-problem', HTMLElement);
  const list = byId('sentences', HTMLUListElement);
  const numbers = byId('numbers', HTMLElement);
  /** @type {Terms | null} */
  let terms = null;
  /** @type {Set<string>} */
  let ticked = new Set();
  let preset = 'play_money';
  /** The mandate whose sentences are shown; null: none is, so none can be allowed. @type {Mandate | null} */
  let said = null;
  let asked = 0;
  let timer = 0;

  /** @param {string} name */
  function offered(name) {
    if (name === PROPOSAL) return terms?.proposal?.mandate;
    return terms?.presets.find((one) => one.name === name)?.mandate;
  }

  function isEditable() {
    return EDITABLE.includes(preset);
  }

  /** @returns {Mandate | null} */
  function chosen() {
    const base = offered(preset);
    if (base === undefined || terms === null) return null;
    const accounts = terms.accounts
      .filter(({ id, money }) => ticked.has(id) && (preset !== 'play_money' || money === 'PAPER'))
      .map(({ id }) => id);
    return { ...(isEditable() ? readForm(base) : base), accounts };
  }

  function showAccounts() {
    for (const row of group.querySelectorAll('[data-money]')) {
      row.toggleAttribute('hidden', preset === 'play_money' && row.getAttribute('data-money') !== 'PAPER');
    }
  }

  function clearProblems() {
    complain(problem, null);
    for (const field of numbers.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  }

  /** @param {Refusal} refusal */
  function showProblems({ message, details }) {
    const words = details.map((detail) => {
      const path = detail.path.replace(/^mandate\./, '');
      const field = document.getElementById(`limit-${FIELDS[path] ?? path}`);
      field?.setAttribute('aria-invalid', 'true');
      const label = document.querySelector(`label[for="${field?.id}"]`)?.textContent;
      return `${label ?? path}: ${detail.message}.`;
    });
    complain(problem, words.length === 0 ? message : words.join(' '));
  }

  async function say() {
    clearTimeout(timer);
    const mandate = chosen();
    if (mandate === null) return;
    asked += 1;
    const mine = asked;
    const answer = await sayMandate(uid, mandate, preset === PROPOSAL);
    // Something else was chosen meanwhile, and its own words are on their way.
    if (mine !== asked) return;
    if (!answer.ok) {
      if (answer.status !== 400 || answer.details.length === 0) {
        await outcome.refused(answer);
        return;
      }
      showProblems(answer);
      list.replaceChildren();
      return;
    }
    clearProblems();
    said = answer.body.mandate;
    list.replaceChildren(...answer.body.sentences.map(sentence));
    outcome.changed();
  }

  /** Marks the shown terms as outdated. @param {number} afterMs */
  function unsaid(afterMs) {
    said = null;
    asked += 1;
    clearTimeout(timer);
    outcome.changed();
    timer = setTimeout(say, afterMs);
  }

  function choose() {
    const base = offered(preset);
    if (base === undefined) return;
    clearProblems();
    if (isEditable()) fillForm(base);
    numbers.hidden = !isEditable();
    showAccounts();
    unsaid(0);
  }

  numbers.addEventListener('input', (event) => {
    showAbove();
    unsaid(event.target instanceof HTMLInputElement && event.target.type === 'text' ? TYPING_MS : 0);
  });

  /** @param {string} name */
  function presetRow(name) {
    const title =
      name === PROPOSAL ? 'What it asks for' : terms?.presets.find((one) => one.name === name)?.title;
    const radio = option('radio', 'preset', name, name === preset, () => {
      preset = name;
      choose();
    });
    return row(radio, title ?? name);
  }

  /** @param {TermsAccount} account */
  function accountRow({ id, alias, money, venue, caps }) {
    const box = option('checkbox', 'account', id, ticked.has(id), () => {
      if (box.checked) ticked.add(id);
      else ticked.delete(id);
      unsaid(0);
    });
    const made = row(box, `${alias} `, MONEY[money], money === 'LIVE');
    made.setAttribute('data-money', money);
    if (caps !== null) box.setAttribute('aria-describedby', explain(made, id, capWords(venue, caps)));
    return made;
  }

  return {
    /** @param {Terms} read */
    begin(read) {
      terms = read;
      preset = 'play_money';
      said = null;
      ticked = new Set(read.accounts.filter(({ money }) => money === 'PAPER').map(({ id }) => id));
      const names = OFFERED.filter((name) => name !== PROPOSAL || read.proposal !== null);
      byId('presets', HTMLElement).replaceChildren(...names.map(presetRow));
      byId('accounts', HTMLElement).replaceChildren(...read.accounts.map(accountRow));
      byId('no-paper', HTMLElement).hidden = read.accounts.some(({ money }) => money === 'PAPER');
      byId('continue', HTMLElement).hidden = read.continues.length === 0;
      byId('continue-budget', HTMLInputElement).checked = true;
      const replace = byId('replace', HTMLSelectElement);
      byId('full', HTMLElement).hidden = !read.full;
      replace.replaceChildren(new Option('None: I disconnect one myself', ''));
      for (const { id, name, connectedAt, lastSeenAt } of read.connected) {
        const seen = lastSeenAt === null ? 'unused since' : `last seen ${sinceWords(lastSeenAt)}`;
        replace.append(new Option(`${name}, connected ${sinceWords(connectedAt)}, ${seen}`, id));
      }
      clearProblems();
      list.replaceChildren();
    },
    /** Shown only where the agent may trade. @param {boolean} trades */
    show(trades) {
      if (trades === !group.hidden) return;
      group.hidden = !trades;
      if (trades) choose();
    },
    /** @param {boolean} busy */
    lock(busy) {
      byId('limits-fields', HTMLFieldSetElement).disabled = busy;
    },
    isSaid: () => said !== null,
    /** Terms that are sent with the scopes. @param {boolean} trades */
    consent(trades) {
      const replaces = byId('replace', HTMLSelectElement).value;
      return {
        ...(replaces === '' ? {} : { replaces }),
        ...(trades && said !== null
          ? {
              mandate: said,
              continueBudget: byId('continue-budget', HTMLInputElement).checked,
              ...(preset === PROPOSAL ? { asProposed: true } : {}),
            }
          : {}),
      };
    },
    leave() {
      clearTimeout(timer);
      asked += 1;
      group.hidden = true;
    },
  };
}

/**
 * @param {string} venue
 * @param {NonNullable<TermsAccount['caps']>} caps
 */
function capWords(venue, { opens, perOrderUsd, totalUsd }) {
  return opens
    ? `At ${venue}; you armed it for orders of up to ${perOrderUsd} USD, ${totalUsd} USD in all.`
    : `At ${venue}; not armed for agents: until you arm it, they open nothing there.`;
}

/**
 * Puts words below a row's label. @returns their id
 * @param {HTMLElement} made
 * @param {string} id
 * @param {string} text
 */
function explain(made, id, text) {
  const words = document.createElement('p');
  Object.assign(words, { id: `caps-${id}`, className: 'caps', textContent: text });
  made.append(words);
  return words.id;
}

/** @param {string} text */
function sentence(text) {
  const item = document.createElement('li');
  item.textContent = text;
  if (text.includes('REAL MONEY')) item.className = 'real';
  return item;
}

/**
 * @param {'radio' | 'checkbox'} type
 * @param {string} name
 * @param {string} value
 * @param {boolean} checked
 * @param {() => void} change
 */
function option(type, name, value, checked, change) {
  const input = document.createElement('input');
  Object.assign(input, { type, name, value, checked, id: `${name}-${value}`, autocomplete: 'off' });
  input.addEventListener('change', change);
  return input;
}

/**
 * @param {HTMLInputElement} input
 * @param {string} text
 * @param {string} [money]
 * @param {boolean} [isReal]
 */
function row(input, text, money, isReal = false) {
  const made = document.createElement('div');
  made.className = isReal ? 'choice real' : 'choice';
  const label = document.createElement('label');
  label.htmlFor = input.id;
  label.textContent = text;
  if (money !== undefined) {
    const badge = document.createElement('span');
    badge.className = isReal ? 'money real' : 'money';
    badge.textContent = money;
    label.append(badge);
  }
  made.append(input, label);
  return made;
}
