/**
 * Everything that the dashboard and the desktop app say to each other, declared once: the preload's functions, the
 * handlers of the main process and the types of both are made from this. Nothing of trading is here.
 */
import * as z from 'zod/mini';

export const shellState = z.strictObject({
  gateway: z.enum(['STARTING', 'READY', 'RESTARTING', 'STOPPING', 'FAILED']),
  /** Why the gateway is not ready, for the person; null: no problem is known. */
  problem: z.nullable(z.string()),
  /** Address of another gateway that has the data folder open, which `openLink` opens; null: there is none. */
  elsewhere: z.nullable(z.string()),
  /** Address of the dashboard's WebSocket, which takes a ticket; null until the gateway is ready. */
  realtimeUrl: z.nullable(z.string()),
  /** Version of the app. */
  version: z.string(),
});
export type ShellState = z.infer<typeof shellState>;

export const shellPreferences = z.strictObject({
  autostart: z.boolean(),
  /** Effect of closing the window: `ask` until the person has answered once. */
  onClose: z.enum(['ask', 'tray', 'quit']),
});
export type ShellPreferences = z.infer<typeof shellPreferences>;

/** A screen of the dashboard: `/positions/<id>`. */
export const screenPath = z.string().check(z.maxLength(256), z.regex(/^\/[A-Za-z0-9/_-]*$/));

const nothing = z.undefined();

/** Asked by the dashboard, answered by the main process. */
export const CALLS = {
  shellState: { asks: nothing, answers: shellState },
  readPreferences: { asks: nothing, answers: shellPreferences },
  writePreferences: { asks: z.partial(shellPreferences), answers: shellPreferences },
  /** A notification of the operating system; a click shows `path`. False: the system has no notifications. */
  notify: {
    asks: z.strictObject({
      title: z.string().check(z.minLength(1), z.maxLength(120)),
      body: z.string().check(z.maxLength(400)),
      path: z.nullable(screenPath),
    }),
    answers: z.boolean(),
  },
  /** Opens an address in the system's browser; false: the address may not be opened. */
  openLink: { asks: z.string().check(z.maxLength(2048)), answers: z.boolean() },
  openLogs: { asks: nothing, answers: z.boolean() },
  /** False: the gateway is starting or stopping already. */
  restartGateway: { asks: nothing, answers: z.boolean() },
} as const;

/** Events that the main process sends to the dashboard. */
export const EVENTS = {
  shellStateChanged: shellState,
  /** A deep link, the menu or a notification asks for a screen. */
  screenAsked: screenPath,
} as const;

export type CallName = keyof typeof CALLS;
export type EventName = keyof typeof EVENTS;
export type Asked<Name extends CallName> = z.infer<(typeof CALLS)[Name]['asks']>;
export type Answered<Name extends CallName> = z.infer<(typeof CALLS)[Name]['answers']>;
export type Told<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;

/**
 * Functions that the preload puts on the page as `window.tandemShell`. A listener's call returns how to remove it.
 */
export type ShellBridge = {
  readonly [Name in CallName]: Asked<Name> extends undefined
    ? () => Promise<Answered<Name>>
    : (asked: Asked<Name>) => Promise<Answered<Name>>;
} & {
  readonly [Name in EventName as `on${Capitalize<Name>}`]: (
    listener: (told: Told<Name>) => void,
  ) => () => void;
};

export const BRIDGE_NAME = 'tandemShell';
export const channelOf = (name: CallName | EventName): string => `tandem:${name}`;

/** Names of the calls with their types, which `Object.keys` forgets. */
export const CALL_NAMES = Object.keys(CALLS) as CallName[];
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];
