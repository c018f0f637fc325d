/** Connecting an account by its wallet from a terminal: the wallet is elsewhere, so its text is printed and its signature typed. */
import type { Row } from '../client/client.ts';
import { ValidationFailed } from '../client/errors.ts';
import type { Call } from '../client/route-types.ts';
import { moneyWord } from './account-mark.ts';
import { read, type TradeAccountAnswer } from './answers.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { stripControls } from './table.ts';

/** A text is signed for no chain. */
const ANY_CHAIN = 1;

/** @param connector whose wallet signs a text; the key is made by the gateway, which keeps it */
export async function connectByWallet(
  { terminal, flags, clock }: Pick<CommandContext, 'terminal' | 'flags' | 'clock'>,
  call: Call,
  connector: Pick<Row<'GET /connectors'>, 'id' | 'mode' | 'network'>,
  given: { readonly alias: string; readonly programsReadCredentials: boolean },
): Promise<TradeAccountAnswer> {
  const { id } = connector;
  const word = moneyWord(connector);
  const address =
    flags.texts.get('--address') ??
    (await terminal.ask(`${word}: Address of the wallet that owns the account (0x…): `)).trim();
  const prepared = read(
    'POST /connectors/{id}/wallet-approvals',
    await call('POST /connectors/{id}/wallet-approvals', {
      params: { id },
      body: { address, chainId: ANY_CHAIN },
    }),
  );
  const params = { id, approvalId: prepared.id };
  const forget = () =>
    call('DELETE /connectors/{id}/wallet-approvals/{approvalId}', { params }).catch(() => undefined);
  if (prepared.message === undefined) {
    await forget();
    throw new CliError('a wallet signs for this venue in the dashboard only; paste a key with --paste');
  }
  for (const { name, value } of prepared.terms) terminal.err(stripControls(`${name}: ${value}`));
  terminal.err(
    `\nSign this text with the wallet ${address} (personal_sign, EIP-191), whole, without a line break at its end:\n`,
  );
  terminal.err(prepared.message.split('\n').map(stripControls).join('\n'));
  terminal.err(`\nThe same in hex: 0x${Buffer.from(prepared.message, 'utf8').toString('hex')}`);
  terminal.err(`It can be used until ${prepared.expiresAt}. Nothing typed: nothing is connected.`);
  for (;;) {
    const signature = (await terminal.ask(`${word}: Signature (0x…): `)).trim();
    if (signature === '') {
      await forget();
      throw new CliError('nothing was connected: the wallet did not sign');
    }
    try {
      return read(
        'POST /connectors/{id}/wallet-approvals/{approvalId}',
        await call('POST /connectors/{id}/wallet-approvals/{approvalId}', {
          params,
          body: { ...given, signature },
        }),
      );
    } catch (error) {
      const isWrong = error instanceof CliError && error.cause instanceof ValidationFailed;
      if (!isWrong || clock.now() >= Date.parse(prepared.expiresAt)) throw error;
      terminal.err(error.message);
    }
  }
}
