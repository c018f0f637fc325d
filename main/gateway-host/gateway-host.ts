/**
 * Keeps one gateway running under the app. The gateway may die at any moment: acknowledged orders are on disk, and the
 * next process reconciles before it reports ready, so the host only has to start it again, ever more slowly.
 */
import { type FromGateway, fromGateway, type WorkInHand } from '../../gateway/contract/shell-link.ts';
import { createBackoff } from '../../gateway/system/backoff.ts';
import type { GatewayPlace } from '../pages/page-handler.ts';
import type { GatewayChild, StartChild } from './gateway-child.ts';
import { type GatewayLife, type LifeEvent, nextLife } from './gateway-life.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** The gateway must run this long before the pause after its next exit is short again. */
const STEADY_MS = 60_000;
/** A drain may take ten seconds (gateway/index.ts). After this limit the process is killed; the next start goes on. */
const STOP_LIMIT_MS = 20_000;
const WORK_LIMIT_MS = 2_000;
/** Exit code of wrong settings: another attempt would end alike. */
const WRONG_SETTINGS = 2;

export interface HostedGateway extends GatewayPlace {
  readonly version: string;
}

export interface GatewayHostDeps {
  readonly startChild: StartChild;
  /** True: the program at the address is the gateway that gave the nonce. */
  readonly proves: (url: string, nonce: string) => Promise<boolean>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly log: (text: string) => void;
}

export interface GatewayHost {
  readonly life: GatewayLife;
  /** null unless READY. */
  readonly gateway: HostedGateway | null;
  /** Why the gateway is not ready, for the person. */
  readonly problem: string | null;
  /** Address of another gateway that has the data folder open, while that is the problem; else null. */
  readonly elsewhere: string | null;
  start(): void;
  /**
   * Stops a ready gateway gracefully and starts the next one; where no gateway runs, starts one at once. False: the
   * gateway is starting or stopping already.
   */
  restart(): boolean;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Unfinished work that stopping the gateway would affect; null: the gateway cannot be asked. */
  work(): Promise<WorkInHand | null>;
  woke(): void;
  /** @returns removes the listener */
  onChange(listener: () => void): () => void;
  onConsent(listener: (uid: string) => void): void;
  /** An order waits for its user's approval. */
  onApproval(listener: (approvalId: string) => void): void;
}

export function createGatewayHost(deps: GatewayHostDeps): GatewayHost {
  const backoff = createBackoff({ baseMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS, random: deps.random });
  const changed = new Set<() => void>();
  const asked = new Set<(uid: string) => void>();
  const approvals = new Set<(approvalId: string) => void>();
  const waitingForWork = new Map<number, (work: WorkInHand | null) => void>();
  const waitingForEnd: (() => void)[] = [];
  let life: GatewayLife = 'STOPPED';
  let child: GatewayChild | null = null;
  let gateway: HostedGateway | null = null;
  let problem: string | null = null;
  let elsewhere: string | null = null;
  let startsAgain = false;
  let lastAsk = 0;
  let cancelRetry = () => {};
  let cancelSteady = () => {};
  let cancelKill = () => {};

  /** True: the event has changed the state. */
  function step(event: LifeEvent): boolean {
    const next = nextLife(life, event);
    if (next === null) return false;
    life = next;
    return true;
  }

  function tellChange(): void {
    for (const listener of changed) listener();
  }

  function launch(): void {
    const own = deps.startChild();
    child = own;
    own.onOutput(deps.log);
    own.onMessage((raw) => {
      const message = fromGateway.safeParse(raw);
      if (child !== own || !message.success) return;
      void take(own, message.data);
    });
    own.onExit((code) => {
      if (child === own) ended(code);
    });
  }

  async function take(own: GatewayChild, message: FromGateway): Promise<void> {
    switch (message.kind) {
      case 'ready': {
        const { url, pageOrigin, nonce, version, setupCode = null } = message;
        const isOurs = await deps.proves(url, nonce);
        if (child !== own) return;
        if (!isOurs) {
          problem = `Something else answers at ${url}`;
          own.kill();
          return;
        }
        if (!step('ready')) return;
        gateway = { url, pageOrigin, version, setupCode };
        problem = null;
        elsewhere = null;
        cancelSteady = deps.after(STEADY_MS, () => backoff.reset());
        return tellChange();
      }
      case 'failed':
        problem = message.message;
        elsewhere = message.elsewhere;
        return;
      case 'consent':
        for (const listener of asked) listener(message.uid);
        return;
      case 'approval':
        for (const listener of approvals) listener(message.id);
        return;
      case 'work':
        waitingForWork.get(message.id)?.(message.work);
        waitingForWork.delete(message.id);
        return;
    }
  }

  function ended(code: number | null): void {
    child = null;
    gateway = null;
    cancelSteady();
    cancelKill();
    for (const answer of waitingForWork.values()) answer(null);
    waitingForWork.clear();
    if (problem === null) elsewhere = null;
    const event = code === WRONG_SETTINGS && life === 'STARTING' ? 'refused' : 'exit';
    step(event);
    if (life === 'RESTARTING') {
      const delayMs = backoff.nextDelayMs();
      problem ??= 'The gateway ended unexpectedly and is started again';
      deps.log(`The gateway ended with ${code ?? 'a signal'}; it is started again in ${delayMs} ms\n`);
      cancelRetry = deps.after(delayMs, begin);
    } else if (life === 'FAILED') problem ??= 'The gateway could not start; its log says why';
    else for (const resolve of waitingForEnd.splice(0)) resolve();
    tellChange();
    if (life === 'STOPPED' && startsAgain) begin();
  }

  function begin(): void {
    cancelRetry();
    startsAgain = false;
    if (!step('retry')) return;
    problem = null;
    launch();
    tellChange();
  }

  function stopChild(): void {
    child?.post({ kind: 'stop' });
    cancelKill = deps.after(STOP_LIMIT_MS, () => child?.kill());
    gateway = null;
    tellChange();
  }

  return {
    get life() {
      return life;
    },
    get gateway() {
      return gateway;
    },
    get problem() {
      return problem;
    },
    get elsewhere() {
      return elsewhere;
    },
    start: begin,
    restart() {
      if (life === 'READY') {
        startsAgain = true;
        step('retry');
        stopChild();
        return true;
      }
      if (life === 'STARTING' || life === 'STOPPING') return false;
      begin();
      return true;
    },
    stop() {
      startsAgain = false;
      cancelRetry();
      const isLeft = step('stop') ? life === 'STOPPING' : life === 'STOPPING';
      if (!isLeft) return Promise.resolve();
      return new Promise((resolve) => {
        waitingForEnd.push(resolve);
        stopChild();
      });
    },
    work() {
      const own = child;
      if (own === null || life !== 'READY') return Promise.resolve(null);
      lastAsk += 1;
      const id = lastAsk;
      return new Promise((resolve) => {
        waitingForWork.set(id, resolve);
        deps.after(WORK_LIMIT_MS, () => {
          if (waitingForWork.delete(id)) resolve(null);
        });
        own.post({ kind: 'ask-work', id });
      });
    },
    woke: () => child?.post({ kind: 'woke' }),
    onChange(listener) {
      changed.add(listener);
      return () => void changed.delete(listener);
    },
    onConsent: (listener) => void asked.add(listener),
    onApproval: (listener) => void approvals.add(listener),
  };
}
