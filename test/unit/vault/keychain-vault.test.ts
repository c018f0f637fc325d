/**
 * The keychain vault against a real keyring: each case runs in a process of its own inside a private session bus
 * (test/support/with-keyring.sh). Without the system packages the cases are skipped loudly, and fail in CI.
 */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { explainCallFailure } from '../../../gateway/vault/keychain-cause.ts';
import { openKeychainVault } from '../../../gateway/vault/keychain-vault.ts';
import { needsKeyring, WITH_KEYRING } from '../../support/keyring.ts';
import { programFile } from '../../support/program-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = programFile(new URL('../../../gateway/vault/keychain-vault.ts', import.meta.url));

const PROGRAM = `
  const { openKeychainVault } = await import(${JSON.stringify(MODULE)});
  try {
    const vault = await openKeychainVault({ timeoutMs: 10000 });
    await vault.set('venue:1', 'sécret');
    const read = [await vault.get('venue:1'), await vault.get('venue:2')];
    const removed = [await vault.delete('venue:1'), await vault.delete('venue:1')];
    const { default: keytar } = await import('keytar');
    const left = await keytar.findCredentials('tandem');
    console.log(JSON.stringify({ kind: vault.kind, read, removed, left }));
  } catch (error) {
    console.log(JSON.stringify({ name: error.name, reason: error.reason, message: error.message }));
  }`;

async function inKeyring(state: 'unlocked' | 'locked' | 'none'): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(
    WITH_KEYRING,
    [process.execPath, '--input-type=module', '-e', PROGRAM],
    { env: { ...process.env, TANDEM_KEYRING: state } },
  );
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

describe('keychain vault in a real keyring', () => {
  before(function () {
    needsKeyring(this);
  });

  it('stores, reads, removes, and leaves no probe behind', async () => {
    expect(await inKeyring('unlocked')).to.deep.equal({
      kind: 'keychain',
      read: ['sécret', null],
      removed: [true, false],
      left: [],
    });
  });

  it('names a locked keyring', async () => {
    const answer = await inKeyring('locked');
    expect(answer).to.include({ name: 'VaultError', reason: 'keychain_unusable' });
    expect(answer['message']).to.contain('locked');
  });

  it('names a bus without a secret service', async () => {
    const answer = await inKeyring('none');
    expect(answer).to.include({ name: 'VaultError', reason: 'keychain_unusable' });
    expect(answer['message']).to.contain('no secret service answers');
  });
});

describe('keychain vault without a keyring', () => {
  it('does not wait for ever for a keychain that never answers', async () => {
    const never = () => new Promise<never>(() => undefined);
    const silent = { setPassword: never, getPassword: never, deletePassword: never };
    const error = await openKeychainVault({ load: async () => silent, timeoutMs: 20 }).then(
      () => null,
      String,
    );
    expect(error).to.contain('did not answer');
  });

  it('refuses a keychain that gives back something else', async () => {
    const forgetful = {
      setPassword: async () => undefined,
      getPassword: async () => null,
      deletePassword: async () => true,
    };
    const error = await openKeychainVault({ load: async () => forgetful }).then(() => null, String);
    expect(error).to.contain('does not give back');
  });

  it('explains what the secret service and the loader say', () => {
    expect(explainCallFailure(new Error('Cannot autolaunch D-Bus without X11 $DISPLAY'))).to.contain(
      'no D-Bus session bus',
    );
    expect(explainCallFailure(new Error('Cannot create an item in a locked collection'))).to.contain(
      'locked',
    );
    expect(explainCallFailure(new Error('something else\nand more'))).to.equal(
      'the keychain failed: something else',
    );
  });

  it('finds the true cause when the native module does not load', async function () {
    if (process.platform !== 'linux') return this.skip();
    // An empty file found before the real library stands for a machine without libsecret.
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'libsecret-1.so.0'), '');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env: { ...process.env, LD_LIBRARY_PATH: folder },
    });
    const { message } = JSON.parse(stdout);
    expect(message).to.contain('libsecret is missing').and.to.contain('apt-get install libsecret-1-0');
  });
});
