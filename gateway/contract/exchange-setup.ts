/**
 * Account set-up at the exchange venue: `/misc/exchange/*`. Every route says which network it is about by the trade
 * account in the header; connectors without the capability answer 501.
 */
import { z } from 'zod';
import {
  DOCS,
  decimal,
  isoTime,
  positiveDecimalInput,
  uuid,
  walletAddress,
  walletSignature,
} from './common.ts';
import { routesWith } from './route.ts';
import { accountAlias, programsReadCredentials } from './trade-accounts.ts';

const WHERE =
  'At the venue and on the network of the trade account in the header; without the header, at the mainnet of the venue that can do it (capability `exchange_setup`). Others answer 501.';
const KEY =
  'The private key is that of a connected trade account of the caller with this account and key index, or `apiPrivateKey`, which is used once and not kept.';
const SUBMIT =
  'The message is made anew from `txInfo`, and the signature has to be that of the owner of the account as the venue names it, else 400 on path `signature`. What was submitted already is a 409 `NOOP_ERROR`; what has expired, or was overtaken by another transaction of the same key, is a 400 on path `txInfo`: prepare it again. It moves nothing then.';

const accountIndex = z
  .int()
  .nonnegative()
  .max(2 ** 48 - 2);
const apiKeyIndex = z
  .int()
  .min(4, "Must be 4 to 254: the keys below belong to the venue's own programs")
  .max(254)
  .register(DOCS, { description: "4 to 254; the indexes below belong to the venue's own programs" });
const txInfo = z
  .string()
  .min(1)
  .max(65_536)
  .register(DOCS, { description: 'Opaque; handed back as it came' });
const signature = walletSignature.meta({
  description: 'EIP-191 signature of the message by the owner of the account',
});
const messageToSign = z
  .string()
  .register(DOCS, { description: 'What the wallet of the owner signs (`personal_sign`, EIP-191)' });
const txHash = z.string();
const signer = { accountIndex, apiKeyIndex } as const;
const apiPrivateKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{80}$/, 'A private key is 80 hex digits')
  .optional()
  .register(DOCS, { description: 'Of the key, where no connected account has it; not kept' });
const ofSigner = {
  accountIndex: accountIndex.optional(),
  walletAddress: walletAddress
    .optional()
    .meta({ description: 'Instead of `accountIndex`: the main account of this wallet' }),
  apiKeyIndex: apiKeyIndex
    .optional()
    .meta({ description: '4 to 254; without it the key of the trade account in the header' }),
  apiPrivateKey,
} as const;

function nameOne(body: { readonly walletAddress?: unknown; readonly accountIndex?: unknown }): boolean {
  return (body.walletAddress === undefined) !== (body.accountIndex === undefined);
}
const ONE_OF = 'Exactly one of walletAddress and accountIndex is needed';

const common = {
  auth: 'K',
  optionalAccount: true,
  tag: 'Exchange account set-up',
} as const;
const setup = routesWith(common);
const ERRORS = [
  'NOT_IMPLEMENTED_ERROR',
  'RESOURCE_BUSY',
  'CONFIGURATION_ERROR',
  'CREDENTIALS_NOT_STORED',
] as const;

export const createExchangeApiKey = setup({
  method: 'POST',
  path: '/misc/exchange/create-api-key',
  summary: "Generate a key pair and the message that the owner's wallet signs",
  description: `Without \`apiKeyIndex\` the lowest free one. With \`keep: true\` the private key stays in the vault of this gateway and is not answered: change-pub-key connects the account with it. ${WHERE}`,
  body: z
    .strictObject({
      walletAddress: walletAddress.optional(),
      accountIndex: accountIndex.optional(),
      apiKeyIndex: apiKeyIndex.optional(),
      keep: z.boolean().optional().register(DOCS, {
        description: 'true: the private key stays here, and is not in the answer',
      }),
    })
    .refine(nameOne, ONE_OF),
  success: {
    200: z.strictObject({
      ...signer,
      publicKey: z.string(),
      privateKey: z
        .string()
        .optional()
        .register(DOCS, { description: 'Shown only here; left out with `keep: true`' }),
      txInfo,
      nonce: z.int().nonnegative(),
      expiresAt: isoTime,
      messageToSign,
    }),
  },
  errors: [...ERRORS],
});

export const changeExchangePubKey = setup({
  method: 'POST',
  path: '/misc/exchange/change-pub-key',
  summary: 'Submit the signed transaction that registers the key',
  description: `A key of \`keep: true\` is connected at once: to the trade account in the header where it has no other account at the venue, else as a new one. ${SUBMIT} ${WHERE}`,
  body: z.strictObject({
    txInfo,
    signature,
    alias: accountAlias
      .optional()
      .meta({ description: 'Name of the new trade account of a kept key; default: the name of the venue' }),
    programsReadCredentials,
  }),
  success: {
    200: z.strictObject({
      txHash,
      ...signer,
      publicKey: z.string(),
      tradeAccountId: uuid
        .optional()
        .meta({ description: 'The trade account that a kept key was connected to' }),
    }),
  },
  errors: [...ERRORS, 'NOOP_ERROR'],
});

export const prepareApproveIntegrator = setup({
  method: 'POST',
  path: '/misc/exchange/prepare-approve-integrator',
  summary: 'Sign the approval of the integrator and get the message to sign',
  description: `Account and fees of the integrator are settings of the gateway. Nothing is set by default: 500 \`CONFIGURATION_ERROR\`. ${KEY} ${WHERE}`,
  body: z
    .strictObject({
      ...ofSigner,
      approvalExpiry: z.iso
        .datetime({ offset: true })
        .optional()
        .register(DOCS, { description: 'When the approval ends; default: in a year' }),
    })
    .refine(nameOne, ONE_OF),
  success: { 200: z.strictObject({ txInfo, messageToSign, expiresAt: isoTime }) },
  errors: [...ERRORS],
});

export const submitApproveIntegrator = setup({
  method: 'POST',
  path: '/misc/exchange/submit-approve-integrator',
  summary: 'Submit the signed approval',
  description: `${SUBMIT} ${WHERE}`,
  body: z.strictObject({ txInfo, signature }),
  success: { 200: z.strictObject({ txHash }) },
  errors: [...ERRORS, 'NOOP_ERROR'],
});

export const createExchangeAuthToken = setup({
  method: 'POST',
  path: '/misc/exchange/create-auth-token',
  summary: "Create a token for the venue's private API",
  description: `Who has the token can read the account at the venue until it ends. A program gets none of a connected account whose owner has turned off that programs read its credentials (403). ${KEY} ${WHERE}`,
  body: z
    .strictObject({
      ...ofSigner,
      deadline: z.iso
        .datetime({ offset: true })
        .optional()
        .register(DOCS, { description: 'At most 8 hours from now, which is the default' }),
    })
    .refine(nameOne, ONE_OF),
  success: { 200: z.strictObject({ token: z.string(), expiresAt: isoTime }) },
  errors: [...ERRORS],
});

export const prepareFastWithdraw = setup({
  method: 'POST',
  path: '/misc/exchange/prepare-fast-withdraw',
  summary: "Sign a transfer to the venue's withdrawal pool and get the message to sign",
  description: `USDC, up to six decimals. The fee comes on top of the amount. Without \`toAddress\` the owner of the account is paid. Between this and the submission nothing else may be signed with the key. ${KEY} ${WHERE}`,
  body: z
    .strictObject({ ...ofSigner, amount: positiveDecimalInput, toAddress: walletAddress.optional() })
    .refine(nameOne, ONE_OF),
  success: {
    200: z.strictObject({
      poolAccountIndex: accountIndex,
      amount: decimal,
      fee: decimal,
      toAddress: walletAddress,
      txInfo,
      messageToSign,
    }),
  },
  errors: [...ERRORS],
});

export const submitFastWithdraw = setup({
  method: 'POST',
  path: '/misc/exchange/submit-fast-withdraw',
  summary: 'Submit the signed fast withdrawal of USDC',
  description: `The address that is paid stands in the signed message only, so \`toAddress\`, and \`amount\` where it is given, are compared with what was signed: else 400 on their path. \`status\`: \`executed\`, or \`pending\` where the venue has taken it and not executed it within some seconds. ${SUBMIT} ${KEY} ${WHERE}`,
  body: z.strictObject({
    txInfo,
    signature,
    toAddress: walletAddress.meta({ description: 'Checked against the signed message' }),
    amount: positiveDecimalInput.optional(),
    apiPrivateKey,
  }),
  success: { 200: z.strictObject({ txHash, status: z.string() }) },
  errors: [...ERRORS, 'NOOP_ERROR'],
});

const tier = z.enum(['standard', 'plus', 'premium']);

export const changeAccountTier = setup({
  method: 'POST',
  path: '/misc/exchange/change-account-tier',
  summary: 'Move the account to another tier',
  description: `Once per 24 hours, and only with no open orders or positions: else 409 \`RESOURCE_BUSY\`, before the venue is asked to change anything. \`details.reason\`: \`TIER_CHANGED_RECENTLY\`, \`OPEN_ORDERS\` or \`OPEN_POSITIONS\`; \`details.retryAt\`: when the 24 hours are over. The same tier is a 409 \`NOOP_ERROR\`. ${KEY} ${WHERE}`,
  body: z.strictObject({ ...ofSigner, tier }).refine(nameOne, ONE_OF),
  success: { 200: z.strictObject({ tier, changedAt: isoTime, nextChangeAt: isoTime }) },
  errors: [...ERRORS, 'NOOP_ERROR'],
});

export const listDepositAddresses = setup({
  method: 'POST',
  path: '/misc/exchange/uda',
  summary: 'One deposit address per chain family, all crediting the account of the wallet',
  description: `For USDC, sent from this wallet's chains; \`chainFamily\` is \`evm\` or \`solana\`, or names the one chain (\`evm:8453\`) where the venue gives a family's chains different addresses: a deposit from another chain is lost there. ${WHERE}`,
  body: z.strictObject({
    walletAddress,
    market: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .register(DOCS, { description: '`perps`, the only one that is credited' }),
    asset: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .register(DOCS, { description: '`USDC`, the only one that is credited' }),
  }),
  success: {
    200: z.strictObject({
      walletAddress,
      addresses: z.array(z.strictObject({ chainFamily: z.string(), address: z.string() })),
    }),
  },
  errors: [...ERRORS],
});

export const listDeposits = setup({
  method: 'GET',
  path: '/misc/exchange/uda/:walletAddress',
  summary: 'The deposits that the bridge has seen for the wallet',
  description: `The venue tells the latest one only. ${WHERE}`,
  params: z.strictObject({ walletAddress }),
  success: {
    200: z.strictObject({
      walletAddress,
      deposits: z.array(
        z.strictObject({
          depositAddress: z.string(),
          fromChainId: z.string(),
          fromAmount: decimal,
          txHash,
          status: z.string(),
          createdAt: isoTime,
        }),
      ),
    }),
  },
  errors: [...ERRORS],
});
