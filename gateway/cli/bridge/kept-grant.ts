/**
 * The refresh token between runs: in the vault, under the agent's name. A refresh replaces the token, and a replaced one
 * that is shown again ends the grant, so two processes of one name (a host starts what it likes) take turns.
 */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { loadSettings } from '../../config.ts';
import type { Logger } from '../../engine/ports/system.ts';
import type { Vault } from '../../engine/ports/vault.ts';
import { acquireDataFolderLock } from '../../system/data-folder-lock.ts';
import { openVault } from '../../vault/open-vault.ts';
import { CliError, usage } from '../cli-error.ts';
import type { CommandContext } from '../command.ts';
import { dataDirFor } from '../reach-gateway.ts';

const keptGrant = z.strictObject({
  clientId: z.string().min(1),
  refreshToken: z.string().min(1),
  /** Data folder, or origin of a gateway elsewhere: a token is shown to nobody but who gave it. */
  gateway: z.string().min(1),
});
export type KeptGrant = Readonly<z.infer<typeof keptGrant>>;

export interface GrantDrawer {
  get(): Promise<KeptGrant | null>;
  put(grant: Omit<KeptGrant, 'gateway'>): Promise<void>;
  forget(): Promise<void>;
}

export interface GrantKeeper {
  /** Runs `work` while no other process of this name does. Rejects with CliError when the secrets cannot be reached. */
  alone<T>(work: (drawer: GrantDrawer) => Promise<T>): Promise<T>;
  /** A file of this agent that only its user can read. */
  file(name: string): Promise<string>;
}

const TURN_MS = 50;
const TURNS = 1_200;

export function grantKeeper(context: CommandContext, name: string): GrantKeeper {
  const dataDir = dataDirFor(context);
  // Names of agents are free text.
  const folder = join(dataDir, 'agents', createHash('sha256').update(name).digest('hex').slice(0, 16));
  const entry = `agent:${name}`;
  const url = context.flags.texts.get('--url') ?? context.env['TANDEM_URL'];
  const gateway = url?.startsWith('https:') ? new URL(url).origin : dataDir;
  let kept: Vault | null = null;
  let onlyFile = false;

  /** A file is opened anew each time: another process may have written it. */
  async function vault(): Promise<Vault> {
    if (kept !== null) return kept;
    const opened = await open(context, folder, onlyFile);
    if (opened.kind !== 'file') kept = opened;
    // A keychain that does not answer is not waited for again.
    onlyFile = opened.kind === 'file';
    return opened;
  }

  async function made(): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  return {
    file: async (file) => join(await made(), file),
    async alone(work) {
      await made();
      const lock = await turn(folder);
      try {
        const secrets = await vault();
        return await work({
          async get() {
            const text = await secrets.get(entry);
            const kept = text === null ? null : keptGrant.safeParse(parsedOrNull(text));
            return kept?.success === true && kept.data.gateway === gateway ? kept.data : null;
          },
          put: (grant) => secrets.set(entry, JSON.stringify({ ...grant, gateway })),
          forget: async () => void (await secrets.delete(entry)),
        });
      } catch (error) {
        if (error instanceof Error && error.name === 'VaultError')
          throw new CliError(`the place of secrets cannot be used: ${error.message}`, 1, error);
        throw error;
      } finally {
        lock.release();
      }
    },
  };
}

async function open(context: CommandContext, folder: string, onlyFile: boolean): Promise<Vault> {
  const loaded = loadSettings({ ...context, argv: ['--data-dir', dataDirFor(context)] });
  if (!loaded.ok) throw usage(loaded.error.join('; '));
  const { vault: kind, passphrase } = loaded.value;
  return openVault({ kind: onlyFile ? 'file' : kind, dataDir: folder, passphrase, logger: SILENT });
}

/** Messages about the place of secrets are dropped: `tandem start` prints them. */
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

async function turn(folder: string): Promise<{ release(): void }> {
  for (let tries = 0; tries < TURNS; tries += 1) {
    const lock = acquireDataFolderLock(folder);
    if (lock.ok) return lock.value;
    if (lock.error.kind !== 'held') throw new CliError(lock.error.message);
    await sleep(TURN_MS);
  }
  throw new CliError(`another process holds ${folder}`);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
