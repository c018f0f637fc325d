/** The page's sections, of which one is shown at a time, and the fields inside them. */

/**
 * @typedef {'loading' | 'login' | 'consent' | 'leaving' | 'closed' | 'foreign' | 'gone' | 'expired' | 'unreachable'
 *   | 'wrong-address' | 'failed' | 'waiting' | 'answered'} ScreenName
 */

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} with the id ${id}`);
  return element;
}

/**
 * Fills every field of that name, on all screens, with text only: no value can become markup.
 * @param {string} name
 * @param {string} text
 */
export function fill(name, text) {
  for (const element of document.querySelectorAll(`[data-field="${name}"]`)) element.textContent = text;
}

/** @returns {string | null} */
export function shownScreen() {
  return document.querySelector('[data-screen]:not([hidden])')?.getAttribute('data-screen') ?? null;
}

/**
 * Shows one screen and moves the focus to `focus`, else to the heading, so that a screen reader reads the heading.
 * @param {ScreenName} name
 * @param {HTMLElement} [focus]
 */
export function show(name, focus) {
  for (const section of document.querySelectorAll('[data-screen]')) {
    section.toggleAttribute('hidden', section.getAttribute('data-screen') !== name);
  }
  const heading = document.querySelector(`[data-screen="${name}"] h1`);
  document.title = `${heading?.textContent ?? ''} – Tandem`;
  const target = focus ?? heading;
  if (target instanceof HTMLElement) target.focus();
}

/**
 * Shows an error inside a screen; `message` null removes the error.
 * @param {HTMLElement} place
 * @param {string | null} message
 */
export function complain(place, message) {
  place.textContent = message ?? '';
  place.hidden = message === null;
}
