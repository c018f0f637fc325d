/** The life of the gateway's process under the app, as a table. */

export type GatewayLife = 'STARTING' | 'READY' | 'RESTARTING' | 'STOPPING' | 'STOPPED' | 'FAILED';
export type LifeEvent = 'ready' | 'exit' | 'refused' | 'retry' | 'stop';

export const GATEWAY_LIFE: Readonly<Record<GatewayLife, Partial<Record<LifeEvent, GatewayLife>>>> = {
  // `refused`: the gateway said that another attempt would fail in the same way (wrong settings).
  STARTING: { ready: 'READY', exit: 'RESTARTING', refused: 'FAILED', stop: 'STOPPING' },
  // An exit that nobody asked for, a kill or a crash, is followed by a start, which reconciles before it is ready.
  READY: { exit: 'RESTARTING', stop: 'STOPPING', retry: 'STOPPING' },
  RESTARTING: { retry: 'STARTING', stop: 'STOPPED' },
  STOPPING: { exit: 'STOPPED' },
  STOPPED: { retry: 'STARTING' },
  FAILED: { retry: 'STARTING', stop: 'STOPPED' },
};

/** null: the event changes nothing in this state. */
export function nextLife(from: GatewayLife, event: LifeEvent): GatewayLife | null {
  return GATEWAY_LIFE[from][event] ?? null;
}
