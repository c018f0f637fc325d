/** Opens a file in the user's browser. */
import { withoutSettings } from '../system/child-environment.ts';
import type { CommandContext } from './command.ts';

/** A browser that cannot be opened is no reason to fail: the caller shows the link as well. */
export function openInBrowser(
  { platform, env }: Pick<CommandContext, 'platform' | 'env'>,
  file: string,
  failed: () => void,
): void {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open', file]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', file]
        : ['xdg-open', file];
  if (program === undefined) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: withoutSettings(env) });
  child.on('error', failed);
  child.unref();
}
