/**
 * Page in the dashboard's place until there is a gateway: says what is under way, and what a person can do when the
 * gateway does not start. Loads the dashboard at the same address as soon as the gateway is ready.
 */

/** @import { ShellBridge, ShellState } from '../../ipc/contract.ts' */

/** @type {ShellBridge} */
const shell = Reflect.get(globalThis, 'tandemShell');

document.documentElement.dataset['theme'] = theme();

/** Theme of the dashboard, which keeps its settings in this origin too. */
function theme() {
  try {
    const { theme: kept } = JSON.parse(localStorage.getItem('tandem.settings') ?? '{}');
    if (kept === 'light') return 'light';
    if (kept === 'system' && matchMedia('(prefers-color-scheme: light)').matches) return 'light';
  } catch {
    // No settings are kept, or they cannot be read.
  }
  return 'dark';
}

/** @type {string | null} */
let elsewhere = null;

/** @param {ShellState} state */
function take(state) {
  if (state.gateway === 'READY') {
    location.reload();
    return;
  }
  const name = screenOf(state);
  elsewhere = state.elsewhere ?? elsewhere;
  if (state.problem !== null)
    for (const place of document.querySelectorAll('[data-field="problem"]'))
      place.textContent = state.problem.charAt(0).toUpperCase() + state.problem.slice(1);
  if (name !== null) show(name);
}

/**
 * @param {ShellState} state
 * @returns {string | null} null: the screen stays as it is, because every attempt to start passes through STARTING
 */
function screenOf(state) {
  switch (state.gateway) {
    case 'STARTING':
      return null;
    case 'RESTARTING':
      return state.elsewhere === null ? 'trying' : 'elsewhere';
    case 'FAILED':
      return 'failed';
    default:
      return 'stopping';
  }
}

/** @param {string} name */
function show(name) {
  for (const section of document.querySelectorAll('[data-screen]')) {
    const isShown = section.getAttribute('data-screen') === name;
    if (isShown && section.hasAttribute('hidden')) {
      section.removeAttribute('hidden');
      const heading = section.querySelector('h1');
      document.title = `${heading?.textContent ?? ''} – Tandem`;
      heading?.focus();
    } else if (!isShown) section.setAttribute('hidden', '');
  }
}

/** @type {Record<string, () => void>} */
const actions = {
  restart: () => void shell.restartGateway(),
  logs: () => void shell.openLogs(),
  elsewhere: () => elsewhere !== null && void shell.openLink(elsewhere),
};
for (const button of document.querySelectorAll('[data-do]'))
  button.addEventListener('click', () => actions[button.getAttribute('data-do') ?? '']?.());

// A link or the menu asks for a screen before the dashboard is there: the dashboard opens with that screen.
shell.onScreenAsked((path) => history.replaceState(null, '', `/app${path}`));
shell.onShellStateChanged(take);
take(await shell.shellState());

export {};
