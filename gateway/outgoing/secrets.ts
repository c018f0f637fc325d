/** Secrets of destinations, in the vault under `news:<destination id>`. Read once, then in memory. */
import type { Vault } from '../engine/ports/vault.ts';

export interface DestinationSecret {
  /** WEBHOOK: signing secret. TELEGRAM: the bot's token. NTFY: access token, or ''. DISCORD: the webhook's address. */
  readonly secret: string;
  /** WEBHOOK: the secret of before, which signs too until `previousUntil` (epoch ms). */
  readonly previous?: string;
  readonly previousUntil?: number;
  /** NTFY: the topic. TELEGRAM: the chat. */
  readonly target?: string;
}

export class DestinationSecrets {
  private readonly vault: Vault;
  private readonly known = new Map<string, DestinationSecret>();

  constructor(vault: Vault) {
    this.vault = vault;
  }

  /** null: the vault has none. @throws VaultLocked */
  async read(id: string): Promise<DestinationSecret | null> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const text = await this.vault.get(nameOf(id)).catch(() => {
      throw new VaultLocked();
    });
    const secret = text === null ? null : parsed(text);
    if (secret !== null) this.known.set(id, secret);
    return secret;
  }

  async write(id: string, secret: DestinationSecret): Promise<void> {
    await this.vault.set(nameOf(id), JSON.stringify(secret));
    this.known.set(id, secret);
  }

  async erase(id: string): Promise<void> {
    this.known.delete(id);
    await this.vault.delete(nameOf(id));
  }
}

/** The vault cannot be read now. In words of our own: the text of a vault's error may quote the secret. */
export class VaultLocked extends Error {
  constructor() {
    super('The vault cannot be read');
  }
}

/** null: it is no secret. An error of the parser would quote it. */
function parsed(text: string): DestinationSecret | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function nameOf(id: string): string {
  return `news:${id}`;
}
