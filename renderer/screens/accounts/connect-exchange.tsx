/** Connects an account at an exchange, with a key that the wallet approves or a pasted key. */
import { useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { createTradeAccountRoute } from '../../../gateway/contract/trade-accounts.ts';
import { completeWalletApproval, prepareWalletApproval } from '../../../gateway/contract/wallet-approvals.ts';
import { type TradeAccount, useClient } from '../../api/session.ts';
import { ModeBadge, moneyWord } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Facts } from '../../components/facts.tsx';
import layout from '../../components/layout.module.css';
import { RadioGroup } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { storedIn } from '../../features/gateway-checks/check-words.ts';
import { addressOf, askWallet, findWallet, signText, type Wallet } from '../../features/wallet/wallet.ts';
import { type Connector, credentialBody } from './account-words.ts';
import {
  type CredentialDraft,
  CredentialLines,
  emptyDraft,
  lineIssue,
  lineOf,
  StoreRefusal,
  useCredentialStore,
} from './credentials.tsx';
import { readAccountsAnew } from './read-accounts.ts';

const SIGN = 'sign';

/** True: a wallet can make a key for the connector. */
const takesWallet = ({ capabilities }: Connector) => capabilities.includes('wallet_approval');

type Approval = Answer<'POST /connectors/{id}/wallet-approvals'>;

interface Prepared {
  readonly connector: string;
  readonly address: string;
  readonly approval: Approval;
}

export function ConnectExchange({
  connectors,
  onConnected,
  onClose,
}: {
  /** Live connectors, at least one. */
  readonly connectors: readonly Connector[];
  readonly onConnected: (account: TradeAccount) => void;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const store = useCredentialStore();
  const refusal = store?.refusal ?? null;
  const wallet = findWallet();
  const [connectorId, setConnector] = useState(connectors[0]?.id ?? '');
  const connector = connectors.find(({ id }) => id === connectorId);
  const [how, setHow] = useState<'wallet' | 'key'>(wallet === null ? 'key' : 'wallet');
  const [alias, setAlias] = useState<string | null>(null);
  const [programsRead, setProgramsRead] = useState(false);
  const [typed, setTyped] = useState<{ readonly on: string; readonly draft: CredentialDraft } | null>(null);
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const draft = typed?.on === connectorId ? typed.draft : emptyDraft(connector?.credentials);
  const name = alias ?? connector?.displayName ?? '';
  const byWallet = how === 'wallet' && wallet !== null && connector !== undefined && takesWallet(connector);
  const sending = useFormSend(
    { test: (path) => /^(alias|connector)$/.test(path) || lineOf(path, draft) !== undefined },
    { settles: false },
  );

  const connected = async (account: TradeAccount) => {
    await readAccountsAnew();
    onConnected(account);
  };
  const paste = async () => {
    const read = credentialBody(draft.lines);
    if (!('body' in read)) return sending.refuse([lineIssue(read)]);
    const body = {
      ...{ alias: name, connector: connectorId, credentials: read.body },
      programsReadCredentials: programsRead,
    };
    return sending.send(createTradeAccountRoute.body, body, async () =>
      connected(await client.call('POST /trade-accounts', { body })),
    );
  };
  const prepare = async (from: Wallet) => {
    await sending.send(prepareWalletApproval.body, NOBODY, async () => {
      const address = await addressOf(from, SIGN);
      const chainId = Number(await askWallet(from, SIGN, 'eth_chainId'));
      const approval = await client.call('POST /connectors/{id}/wallet-approvals', {
        params: { id: connectorId },
        body: { address, chainId },
      });
      setPrepared({ connector: connectorId, address, approval });
    });
    // The dialog stays open: the user reads the terms before the wallet signs them.
    return false;
  };
  const sign = (from: Wallet, { connector: id, address, approval }: Prepared) =>
    sending.send(completeWalletApproval.body.omit({ signature: true }), { alias: name }, async () => {
      const signature = await signApproval(from, address, approval);
      const account = await client.call('POST /connectors/{id}/wallet-approvals/{approvalId}', {
        params: { id, approvalId: approval.id },
        body: { alias: name, signature, programsReadCredentials: programsRead },
      });
      await connected(account);
    });
  const submit = () => {
    if (!byWallet) return paste();
    return prepared === null ? prepare(wallet) : sign(wallet, prepared);
  };
  const close = () => {
    if (prepared !== null) {
      const params = { id: prepared.connector, approvalId: prepared.approval.id };
      // An unapproved key is erased at once; if this call fails, the key expires by itself.
      client.call('DELETE /connectors/{id}/wallet-approvals/{approvalId}', { params }).catch(() => undefined);
    }
    onClose();
  };
  if (connector === undefined) return null;
  if (prepared !== null)
    return (
      <FormDialog
        title="What the wallet is going to sign"
        sending={sending}
        confirm="Sign in the wallet"
        back={<Button onClick={close}>Cancel</Button>}
        onSubmit={submit}
        onClose={onClose}
      >
        <p>
          <ModeBadge mode={connector.mode} network={connector.network} /> A key for trading is made and stored{' '}
          {storedIn(store?.kind)}. Signing lets it trade for your account. It moves no money.
        </p>
        <Facts
          label="What is signed"
          of={Object.fromEntries(
            prepared.approval.terms.map((term) => [term.name, <bdi key={term.name}>{term.value}</bdi>]),
          )}
        />
      </FormDialog>
    );
  return (
    <FormDialog
      title="Connect an exchange"
      sending={sending}
      confirm={byWallet ? 'Continue' : 'Connect'}
      canSend={refusal === null}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Exchange"
        options={connectors.map((one) => ({ value: one.id, label: one.displayName, hint: moneyWord(one) }))}
        value={connectorId}
        onChange={setConnector}
        error={sending.errors('connector')}
      />
      <p>
        <ModeBadge mode={connector.mode} network={connector.network} />{' '}
        {connector.override === undefined
          ? connector.network === 'testnet'
            ? "The exchange's test network: play money under its own rules."
            : 'Real money. The account opens nothing until you arm it.'
          : `Nothing here is real: ${connector.override} stands in for the exchange.`}
      </p>
      {refusal !== null ? (
        <StoreRefusal text={refusal} />
      ) : (
        <>
          {' '}
          <TextField
            label="Name"
            maxLength={48}
            value={name}
            onChange={setAlias}
            error={sending.errors('alias')}
          />
          {takesWallet(connector) && wallet !== null && (
            <RadioGroup
              label="How"
              options={[
                { value: 'wallet', label: 'Approve a new key with the wallet in this browser' },
                { value: 'key', label: 'Paste a key' },
              ]}
              value={how}
              onChange={setHow}
            />
          )}
          {takesWallet(connector) && wallet === null && (
            <p className={layout['quiet']}>
              This browser has no wallet. With one, a key is made and approved here; without, paste a key of
              the exchange.
            </p>
          )}
          {!byWallet && (
            <CredentialLines
              value={draft}
              onChange={(next) => setTyped({ on: connectorId, draft: next })}
              errors={sending.errors}
            />
          )}
          <Checkbox checked={programsRead} onChange={setProgramsRead}>
            Programs (API keys, agents) may read these credentials
          </Checkbox>
          <p className={layout['quiet']}>
            It is your own account: the exchange's terms and the rules of your country apply.
          </p>
        </>
      )}
    </FormDialog>
  );
}

/** Signs the venue's terms with the wallet. The venue decides on their form: a text or typed data. */
async function signApproval(
  from: Wallet,
  address: string,
  { message, typedData }: Approval,
): Promise<string> {
  if (message !== undefined) return signText(from, SIGN, message, address);
  const terms = [address, JSON.stringify(typedData)];
  return String(await askWallet(from, SIGN, 'eth_signTypedData_v4', terms));
}

/** Placeholder for the wallet's values while the form is checked. */
const NOBODY = { address: `0x${'0'.repeat(40)}`, chainId: 1 };
