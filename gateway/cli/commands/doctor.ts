import { dataDirOf, loadSettings, SETTING_FLAGS } from '../../config.ts';
import { type Command, type CommandContext, JSON_FLAG, printJson } from '../command.ts';
import { checkDataFolder, checkDiskSpace } from '../doctor/check-data-folder.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkFiles, repairFiles } from '../doctor/check-files.ts';
import { checkPeers } from '../doctor/check-peers.ts';
import { checkPort } from '../doctor/check-port.ts';
import { checkClock, checkNativeModules, checkNode } from '../doctor/check-program.ts';
import { checkRunning } from '../doctor/check-running.ts';
import { checkKeyringPackages, checkVault } from '../doctor/check-vault.ts';
import { checkVenues } from '../doctor/check-venues.ts';
import { type Finding, findingsOf, messageOf } from '../doctor/finding.ts';
import type { FlagSpec } from '../parse-flags.ts';
import { startProgress } from '../progress.ts';
import { stripControls } from '../table.ts';

const REPAIR_FLAG: FlagSpec = {
  name: '--repair',
  kind: 'text',
  value: '<what>',
  help: 'database, paper or start-over: as the finding says',
};

export const command: Command = {
  usage: 'doctor [--json] [--repair <what>] [flags of start]',
  about: [
    'Looks for what would keep the gateway from starting or working, and says how to mend it. Changes nothing,',
    'but with --repair, which mends a data folder whose files do not belong together. Nothing is deleted.',
    'Exit code 1 when something fails; warnings do not fail.',
  ],
  flags: [JSON_FLAG, REPAIR_FLAG, ...SETTING_FLAGS],
  words: [0, 0],
  async run(context) {
    const json = context.argv.includes('--json');
    const given = context.argv.filter((word) => word !== '--json');
    const repair = taken(given, '--repair');
    const argv = repair?.others ?? given;
    const dataDir = dataDirOf(context, taken(argv, '--data-dir')?.value);
    if (repair !== null)
      for (const line of await repairFiles(dataDir, repair.value, context.clock.now()))
        context.terminal.err(line);
    const progress = startProgress(context.terminal, context.clock, 'looking');
    let findings: readonly Finding[];
    try {
      findings = await examine(context, argv, dataDir, progress.update);
    } finally {
      progress.done();
    }
    const healthy = findings.every((finding) => finding.level !== 'FAIL');
    if (json) {
      printJson(context.terminal, { healthy, findings });
      return healthy ? 0 : 1;
    }
    const longest = Math.max(...findings.map((finding) => finding.check.length));
    for (const { level, check, detail, mend } of findings) {
      context.terminal.out(`${level.padEnd(4)}  ${check.padEnd(longest)}  ${stripControls(detail)}`);
      if (mend !== null) context.terminal.out(`${' '.repeat(longest + 8)}→ ${stripControls(mend)}`);
    }
    return healthy ? 0 : 1;
  },
};

async function examine(
  context: CommandContext,
  argv: readonly string[],
  namedDataDir: string,
  tell: (text: string) => void,
): Promise<readonly Finding[]> {
  const settings = findingsOf('settings');
  const loaded = loadSettings({ ...context, argv });
  const findings: Finding[] = [checkNode(process.versions.node)];
  const dataDir = loaded.ok ? loaded.value.dataDir : namedDataDir;
  findings.push(
    loaded.ok
      ? settings.fine('understood')
      : settings.bad(loaded.error.join('; '), `correct the flag, the variable or ${dataDir}/config.json`),
  );
  // When the settings are not understood, the other checks assume their defaults.
  const assumed = loaded.ok
    ? loaded.value
    : {
        port: 7391,
        peerCheck: 'auto' as const,
        vault: 'auto' as const,
        dataDir,
        passphrase: context.env['TANDEM_PASSPHRASE'] || null,
        allowFileVault: false,
      };

  const checks: readonly (readonly [string, () => Finding | Promise<Finding>])[] = [
    ['native modules', () => checkNativeModules()],
    ['data folder', () => checkDataFolder(dataDir)],
    ['disk space', () => checkDiskSpace(dataDir)],
    // Checked before the database is opened, because opening it creates a write-ahead log.
    ['data files', () => checkFiles(dataDir)],
    ['database', () => checkDatabase(dataDir)],
    ['live venues', () => checkVenues(dataDir)],
    ['keyring packages', () => checkKeyringPackages(context.platform, context.env)],
    ['vault', () => checkVault(assumed)],
    ['port', () => checkPort(assumed.port)],
    ['other users', () => checkPeers(assumed.peerCheck)],
    ['gateway', () => checkRunning(assumed.port)],
    ['clock', () => checkClock(context.clock.now(), dataDir)],
  ];
  for (const [name, check] of checks) {
    tell(`looking at ${name}`);
    findings.push(await survived(name, check));
  }
  return findings;
}

/** A check that throws must not hide the findings of the others. */
async function survived(name: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return findingsOf(name).bad(
      `could not be looked at: ${messageOf(error)}`,
      'tell the makers of Tandem what you read here',
    );
  }
}

/**
 * Splits `--name value` or `--name=value` into the value (undefined: it is missing) and the other words; null: not
 * given.
 */
function taken(
  words: readonly string[],
  name: string,
): { readonly value: string | undefined; readonly others: readonly string[] } | null {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  const word = words[at];
  if (word === undefined) return null;
  return word === name
    ? { value: words[at + 1], others: words.toSpliced(at, 2) }
    : { value: word.slice(name.length + 1), others: words.toSpliced(at, 1) };
}
