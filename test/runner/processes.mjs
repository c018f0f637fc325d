/** Processes of a test run: what they used of the processor, and their end. Linux tells both; elsewhere only workers are known. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * In the environment of every process of a run: whatever still carries it when the run ends is ended too. The gateway
 * hands none of the variables that begin with its own name to programs that it starts.
 */
export const MARK = 'TEST_RUN_OF_TANDEM';

/** Clock ticks a second in `/proc/<pid>/stat`, the same on every Linux of the last twenty years. */
const TICKS = 100;

/** @returns {Map<number, { parent: number, ticks: number }>} empty where there is no `/proc` */
function processTable() {
  const table = new Map();
  let names = [];
  try {
    names = readdirSync('/proc');
  } catch {
    return table;
  }
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name of the program, in brackets, may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // utime, stime, and those of its ended and awaited children.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      table.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  return table;
}

/** `pid` and everything that it started and that still has it as an ancestor. */
function familyOf(pid, table) {
  const children = new Map();
  for (const [child, { parent }] of table) children.set(parent, [...(children.get(parent) ?? []), child]);
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

/** Seconds of processor time that the process and its descendants have used so far. */
export function processorSeconds(pid) {
  const table = processTable();
  return familyOf(pid, table).reduce((sum, member) => sum + (table.get(member)?.ticks ?? 0), 0) / TICKS;
}

/** Processes that were started in the run, this one left out. */
export function carriers(run) {
  const mark = `${MARK}=${run}`;
  return [...processTable().keys()].filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
    } catch {
      return false;
    }
  });
}

export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Everything that the process has started and that still runs. */
export const descendants = (pid) => familyOf(pid, processTable()).slice(1);

/** Ends them and all that they started, frozen ones too. */
export function killAll(pids) {
  const table = processTable();
  for (const pid of new Set(pids.flatMap((one) => familyOf(one, table)))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
