/** Every command: what finds them, helps, completes and prints the manual reads this table and what it loads. */
import type { Command, DescribedCommand } from './command.ts';

export interface CommandEntry {
  /** One word, or two where commands are a group. */
  readonly name: string;
  readonly summary: string;
  /** Loads the command when it is used: `start` must not load the other commands, nor they `start`. */
  readonly load: () => Promise<{ readonly command: Command }>;
  /** The command parses its own flags (settings), so that one table defines them. */
  readonly ownFlags?: boolean;
}

// biome-ignore format: a table is read by its columns
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'start', summary: 'Start the gateway', ownFlags: true, load: () => import('./commands/start.ts') },
  { name: 'stop', summary: 'Stop the gateway', load: () => import('./commands/stop.ts') },
  { name: 'status', summary: 'Is it running, and how are its venues', load: () => import('./commands/status.ts') },
  { name: 'doctor', summary: 'What is wrong with this installation and how to mend it', ownFlags: true, load: () => import('./commands/doctor.ts') },
  { name: 'backup', summary: 'Copy the data folder', load: () => import('./commands/backup.ts') },
  { name: 'restore', summary: 'Put a backup in the place of the data folder', load: () => import('./commands/restore.ts') },
  { name: 'keys create', summary: 'Make an API key (and the first user)', load: () => import('./commands/keys-create.ts') },
  { name: 'keys list', summary: 'List API keys', load: () => import('./commands/keys-list.ts') },
  { name: 'keys revoke', summary: 'Revoke an API key', load: () => import('./commands/keys-revoke.ts') },
  { name: 'agents list', summary: 'List connected agents, and keys with limits', load: () => import('./commands/agents-list.ts') },
  { name: 'agents pause', summary: 'Stop one agent, or all, from opening anything', load: () => import('./commands/agents-pause.ts') },
  { name: 'agents resume', summary: 'Let a paused agent go on', load: () => import('./commands/agents-resume.ts') },
  { name: 'agents limits', summary: 'Show what an agent may do, or limit all of them together', load: () => import('./commands/agents-limits.ts') },
  { name: 'accounts', summary: 'List trade accounts', load: () => import('./commands/accounts.ts') },
  { name: 'accounts add', summary: 'Add a paper account', load: () => import('./commands/accounts-add.ts') },
  { name: 'accounts reset', summary: 'Set a paper account back to its starting balance', load: () => import('./commands/accounts-reset.ts') },
  { name: 'paper fault', summary: 'Make a paper account refuse, fill in part, lose answers or prices', load: () => import('./commands/paper-fault.ts') },
  { name: 'paper faults', summary: 'List the faults that are on', load: () => import('./commands/paper-faults.ts') },
  { name: 'paper clear', summary: 'End all faults of a paper account', load: () => import('./commands/paper-clear.ts') },
  { name: 'webhooks', summary: 'List the addresses that your events are sent to', load: () => import('./commands/webhooks.ts') },
  { name: 'webhooks add', summary: 'Send events to an address, signed', load: () => import('./commands/webhooks-add.ts') },
  { name: 'webhooks test', summary: 'Send a test event to a webhook', load: () => import('./commands/webhooks-test.ts') },
  { name: 'webhooks log', summary: 'List what was sent to a webhook', load: () => import('./commands/webhooks-log.ts') },
  { name: 'webhooks rotate', summary: 'Give a webhook a new secret', load: () => import('./commands/webhooks-rotate.ts') },
  { name: 'webhooks remove', summary: 'Remove a webhook', load: () => import('./commands/webhooks-remove.ts') },
  { name: 'listen', summary: 'Forward live events to an address while you write its receiver', load: () => import('./commands/listen.ts') },
  { name: 'notify', summary: 'List where notifications are sent', load: () => import('./commands/notify.ts') },
  { name: 'notify add', summary: 'Send notifications to ntfy, Telegram or Discord', load: () => import('./commands/notify-add.ts') },
  { name: 'notify test', summary: 'Send a test message', load: () => import('./commands/notify-test.ts') },
  { name: 'notify log', summary: 'List which messages were sent', load: () => import('./commands/notify-log.ts') },
  { name: 'notify remove', summary: 'Remove a notification channel', load: () => import('./commands/notify-remove.ts') },
  { name: 'balance', summary: 'What your accounts are worth', load: () => import('./commands/balance.ts') },
  { name: 'markets', summary: 'List tickers and their prices', load: () => import('./commands/markets.ts') },
  { name: 'book', summary: 'Order books: best levels, their sums, the spread', load: () => import('./commands/book.ts') },
  { name: 'venue list', summary: 'List venues', load: () => import('./commands/venue-list.ts') },
  { name: 'venue check', summary: 'Look whether everything works at a live venue', load: () => import('./commands/venue-check.ts') },
  { name: 'venue arm', summary: 'Let a live account open positions, up to its caps', load: () => import('./commands/venue-arm.ts') },
  { name: 'venue disarm', summary: 'Let a live account open nothing any more', load: () => import('./commands/venue-disarm.ts') },
  { name: 'venue connect', summary: 'Connect an account at a venue', load: () => import('./commands/venue-connect.ts') },
  { name: 'open', summary: 'Open a basket: long and short legs in one call', load: () => import('./commands/open.ts') },
  { name: 'positions', summary: 'List positions', load: () => import('./commands/positions.ts') },
  { name: 'close', summary: 'Close a position or a part of it', load: () => import('./commands/close.ts') },
  { name: 'reverse', summary: 'Close a position and open its opposite', load: () => import('./commands/reverse.ts') },
  { name: 'protect', summary: 'Set take-profit and stop-loss of a position', load: () => import('./commands/protect.ts') },
  { name: 'executions', summary: 'List executions, or show one with its orders', load: () => import('./commands/executions.ts') },
  { name: 'orders', summary: 'List orders', load: () => import('./commands/orders.ts') },
  { name: 'orders cancel', summary: 'Cancel an order, or all', load: () => import('./commands/orders-cancel.ts') },
  { name: 'funding', summary: 'List funding payments, and what they come to', load: () => import('./commands/funding.ts') },
  { name: 'triggers', summary: 'List triggers that wait', load: () => import('./commands/triggers.ts') },
  { name: 'triggers open', summary: 'Open a basket when a condition is met', load: () => import('./commands/triggers-open.ts') },
  { name: 'triggers pause', summary: 'Pause a trigger', load: () => import('./commands/triggers-pause.ts') },
  { name: 'triggers resume', summary: 'Resume a trigger', load: () => import('./commands/triggers-resume.ts') },
  { name: 'triggers cancel', summary: 'Cancel a trigger, or all', load: () => import('./commands/triggers-cancel.ts') },
  { name: 'alerts', summary: 'List alerts that wait', load: () => import('./commands/alerts.ts') },
  { name: 'alerts add', summary: 'Be told when a condition is met: nothing is traded', load: () => import('./commands/alerts-add.ts') },
  { name: 'alerts change', summary: 'Move the level or expiry of an alert', load: () => import('./commands/alerts-change.ts') },
  { name: 'alerts cancel', summary: 'Cancel an alert', load: () => import('./commands/alerts-cancel.ts') },
  { name: 'twap', summary: 'List TWAPs, or show one with its slices', load: () => import('./commands/twap.ts') },
  { name: 'twap open', summary: 'Trade a basket in slices over time', load: () => import('./commands/twap-open.ts') },
  { name: 'twap pause', summary: 'Pause a TWAP', load: () => import('./commands/twap-pause.ts') },
  { name: 'twap resume', summary: 'Resume a TWAP', load: () => import('./commands/twap-resume.ts') },
  { name: 'twap cancel', summary: 'Cancel a TWAP', load: () => import('./commands/twap-cancel.ts') },
  { name: 'ladders', summary: 'List ladders, or show one with its rungs', load: () => import('./commands/ladders.ts') },
  { name: 'ladders open', summary: 'Open a basket in rungs across a range', load: () => import('./commands/ladders-open.ts') },
  { name: 'ladders cancel', summary: 'Cancel a ladder', load: () => import('./commands/ladders-cancel.ts') },
  { name: 'reviews', summary: 'Fills under review after a venue lost its history', load: () => import('./commands/reviews.ts') },
  { name: 'pause', summary: 'Let nothing open any more', load: () => import('./commands/pause.ts') },
  { name: 'resume', summary: 'Take new orders again', load: () => import('./commands/resume.ts') },
  { name: 'panic', summary: 'Pause, cancel and close everything', load: () => import('./commands/panic.ts') },
  { name: 'safety', summary: 'Is trading paused, and what a panic has left', load: () => import('./commands/safety.ts') },
  { name: 'approvals', summary: 'List the orders that wait for you', load: () => import('./commands/approvals.ts') },
  { name: 'approve', summary: 'Approve an order of an agent or a program', load: () => import('./commands/approve.ts') },
  { name: 'deny', summary: 'Deny an order of an agent or a program', load: () => import('./commands/deny.ts') },
  { name: 'connect', summary: 'Show how an agent is connected', load: () => import('./commands/connect.ts') },
  { name: 'mcp', summary: 'Connect an agent over standard input and output', load: () => import('./commands/mcp.ts') },
  { name: 'watch', summary: 'Positions, live in the terminal', load: () => import('./commands/watch.ts') },
  { name: 'tail', summary: 'Show live events', load: () => import('./commands/tail.ts') },
  { name: 'completion', summary: 'Completion for bash, zsh or fish', load: () => import('./commands/completion.ts') },
  { name: 'man', summary: 'The manual page', load: () => import('./commands/man.ts') },
];

/** Loads them all: for those who describe every command. */
export function describedCommands(): Promise<readonly DescribedCommand[]> {
  return Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => ({ name, summary, command: (await load()).command })),
  );
}
