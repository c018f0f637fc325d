/**
 * Files that are sent unchanged, with one copy in memory for all answers under way: a client that does not read its
 * answers holds no copy of its own. Each read checks the file on disk, so an update is served at once.
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

  /** @returns the same Buffer for the same content, which callers must not change; null: no such file */
  read(file: URL | string): Promise<Buffer | null> {
    const name = String(file);
    // Concurrent reads of one file share one check of the disk.
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

/** Files of all pages: consent page, dashboard, documentation. */
export const sharedFiles = new SharedFiles();
