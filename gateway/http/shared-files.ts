/**
 * Files that are sent as they are, one copy in memory however many answers are on their way: a client that asks and does
 * not read holds no copy of its own. Looked at on disk each time, so an update is there at once.
 */
import { readFile, stat } from 'node:fs/promises';

interface Held {
  readonly content: Buffer;
  readonly changedAt: number;
  readonly size: number;
}

class SharedFiles {
  readonly #held = new Map<string, Held>();
  readonly #looks = new Map<string, Promise<Buffer | null>>();

  /** @returns null: no such file; the same Buffer for the same content, which nobody may change */
  read(file: URL | string): Promise<Buffer | null> {
    const name = String(file);
    // Who asks while somebody looks shares what is found.
    const running = this.#looks.get(name);
    if (running !== undefined) return running;
    const look = this.#look(file, name).finally(() => this.#looks.delete(name));
    this.#looks.set(name, look);
    return look;
  }

  async #look(file: URL | string, name: string): Promise<Buffer | null> {
    try {
      const { mtimeMs, size } = await stat(file);
      const held = this.#held.get(name);
      if (held !== undefined && held.changedAt === mtimeMs && held.size === size) return held.content;
      const content = await readFile(file);
      this.#held.set(name, { content, changedAt: mtimeMs, size });
      return content;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
      this.#held.delete(name);
      return null;
    }
  }
}

/** Everything that pages are made of. */
export const sharedFiles = new SharedFiles();
