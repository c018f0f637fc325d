/** Trading keys that a browser wallet approves: prepared here, signed by the wallet, completed here. */
import { z } from 'zod';
import { connectorId, DOCS, isoTime, pathId, uuid } from './common.ts';
import { routesWith } from './route.ts';
import { accountAlias, programsReadCredentials, tradeAccount } from './trade-accounts.ts';

const MAX_CHAIN_ID = 2 ** 53 - 1;

const hexAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'An address is 0x and 40 hex digits')
  .register(DOCS, { description: "Address of the owner's account at the venue: the wallet's own" });

export const walletApproval = z
  .strictObject({
    id: uuid,
    typedData: z.unknown().optional().register(DOCS, {
      description:
        'EIP-712 typed data, as `eth_signTypedData_v4` takes it. It lets a key trade, and nothing else',
    }),
    message: z.string().optional().register(DOCS, {
      description: 'In place of `typedData`: a text, as `personal_sign` takes it (EIP-191)',
    }),
    terms: z
      .array(z.strictObject({ name: z.string(), value: z.string() }))
      .register(DOCS, { description: 'The same in words, for the person who signs' }),
    expiresAt: isoTime,
  })
  .register(DOCS, { id: 'WalletApproval' });

const COMMON =
  'For the owner, signed in: API keys and OAuth grants get 403. The trading key is made by the gateway and stays in its vault; it can trade and cannot withdraw.';
const shared = { auth: 'B', tag: 'Trade accounts' } as const;
const ERRORS = [
  'RESOURCE_NOT_FOUND',
  'CONFIGURATION_ERROR',
  'CREDENTIALS_NOT_STORED',
  'NOT_IMPLEMENTED_ERROR',
  'RESOURCE_BUSY',
] as const;

export const prepareWalletApproval = routesWith({ ...shared, params: z.object({ id: connectorId }) })({
  method: 'POST',
  path: '/connectors/:id/wallet-approvals',
  summary: 'Make a trading key that a browser wallet approves',
  description: `${COMMON} Completed within 15 minutes, or the key is erased.`,
  body: z.strictObject({
    address: hexAddress,
    chainId: z.int().min(1).max(MAX_CHAIN_ID).register(DOCS, {
      description: 'EIP-155 id of the chain that the wallet is set to: wallets refuse to sign for another',
    }),
  }),
  success: { 201: walletApproval },
  errors: [...ERRORS],
});

const one = routesWith({ ...shared, params: z.object({ id: connectorId, approvalId: pathId }) });

export const completeWalletApproval = one({
  method: 'POST',
  path: '/connectors/:id/wallet-approvals/:approvalId',
  summary: 'Connect the account with the signature of its wallet',
  description: `${COMMON} The venue is given the signature, and the account is added, or gets the key in place of the one it has. After an answer that says that the venue did not answer, ask again with the same signature.`,
  body: z.strictObject({
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'A signature is 0x and 130 hex digits')
      .register(DOCS, { description: "The wallet's answer to `typedData` or `message`" }),
    alias: accountAlias
      .optional()
      .register(DOCS, { description: 'Of the new account; default: the name of the venue' }),
    tradeAccountId: uuid
      .optional()
      .register(DOCS, { description: 'The account that gets the key; left out: a new one is added' }),
    programsReadCredentials,
  }),
  success: { 200: tradeAccount, 201: tradeAccount },
  errors: [...ERRORS],
});

export const cancelWalletApproval = one({
  method: 'DELETE',
  path: '/connectors/:id/wallet-approvals/:approvalId',
  summary: 'Erase a key that was not approved',
  description: COMMON,
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
});
