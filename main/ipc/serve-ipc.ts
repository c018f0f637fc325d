/**
 * The main process's end of the contract. A call is answered only for the main frame of a window with the dashboard in
 * it, at the dashboard's own origin; its input and its answer are parsed.
 */
import { SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import type { ElectronParts, InvokeEvent } from '../electron-parts.ts';
import { type Answered, type Asked, CALL_NAMES, CALLS, type CallName, channelOf } from './contract.ts';

export type CallHandlers = {
  readonly [Name in CallName]: (asked: Asked<Name>) => Answered<Name> | Promise<Answered<Name>>;
};

/** @param isOwn true: calls from these window contents are answered */
export function serveIpc(
  ipcMain: ElectronParts['ipcMain'],
  isOwn: (contents: unknown) => boolean,
  handlers: CallHandlers,
): void {
  for (const name of CALL_NAMES) serveCall(ipcMain, isOwn, name, handlers);
}

function serveCall<Name extends CallName>(
  ipcMain: ElectronParts['ipcMain'],
  isOwn: (contents: unknown) => boolean,
  name: Name,
  handlers: CallHandlers,
): void {
  const { asks, answers } = CALLS[name];
  const handle: CallHandlers[Name] = handlers[name];
  ipcMain.handle(channelOf(name), async (event, ...values) => {
    if (!isOwn(event.sender) || !isDashboard(event)) throw new Error(`${name}: not for this page`);
    if (values.length > 1) throw new Error(`${name}: one value at most`);
    const asked = asks.safeParse(values[0]);
    if (!asked.success) throw new Error(`${name}: not what is expected`);
    return answers.parse(await handle(asked.data as Asked<Name>));
  });
}

function isDashboard({ senderFrame }: InvokeEvent): boolean {
  if (senderFrame === null) return false;
  if (senderFrame.parent !== null || !URL.canParse(senderFrame.url)) return false;
  const { protocol, host, pathname } = new URL(senderFrame.url);
  return `${protocol}//${host}` === SHELL_ORIGIN && !pathname.startsWith('/consent/');
}
