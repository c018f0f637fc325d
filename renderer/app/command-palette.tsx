/**
 * Command palette: screens and their lists, actions, accounts, instruments to trade; opened from the header of Trade,
 * baskets alone. ↑ ↓ choose, Enter runs the command.
 */
import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useId, useState } from 'react';
import { likelierFirst, matching } from './command-match.ts';
import css from './command-palette.module.css';
import { useBasketCommands } from './use-basket-commands.tsx';
import { type Command, type CommandGroup, useCommands, usePairCommands } from './use-commands.tsx';

/** Maximum number of commands shown per group; typing finds the rest. */
const SHOWN = 40;

/** Scope of the search: everything, or baskets other than the one with this key. */
export type Sought = 'ALL' | { readonly otherThan: string | null };

export function CommandPalette({
  sought,
  onClose,
  onKeys,
}: {
  readonly sought: Sought;
  readonly onClose: () => void;
  /** Opens the list of keyboard shortcuts. */
  readonly onKeys: () => void;
}) {
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['popup']}>
          <Dialog.Title className="visually-hidden">
            {sought === 'ALL' ? 'Commands' : 'Another basket'}
          </Dialog.Title>
          {sought === 'ALL' ? (
            <AllCommands onDone={onClose} onKeys={onKeys} />
          ) : (
            <Baskets otherThan={sought.otherThan} onDone={onClose} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function AllCommands({ onDone, onKeys }: { readonly onDone: () => void; readonly onKeys: () => void }) {
  const groups = useCommands(onKeys);
  return <Commands groups={groups} name="Commands" hint="Go to, trade, switch…" onDone={onDone} />;
}

function Baskets({ otherThan, onDone }: { readonly otherThan: string | null; readonly onDone: () => void }) {
  const groups = useBasketCommands(otherThan);
  return <Commands groups={groups} name="Another basket" hint="A pair: sol eth" onDone={onDone} />;
}

function Commands({
  groups,
  name: ofAll,
  hint,
  onDone,
}: {
  readonly groups: readonly CommandGroup[];
  readonly name: string;
  /** Placeholder of the empty field. */
  readonly hint: string;
  readonly onDone: () => void;
}) {
  const list = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const pairs = usePairCommands(typed);
  const found = [
    ...groups
      .filter(({ isTypedFor = false }) => !isTypedFor || typed.trim() !== '')
      .map(({ name, commands }) => ({ name, commands: matching(commands, typed, SHOWN) })),
    { name: 'Pairs', commands: pairs },
  ].filter(({ commands }) => commands.length > 0);
  const shown = likelierFirst(found, typed);
  const all = shown.flatMap(({ commands }) => commands);
  const current = all[Math.min(chosen, all.length - 1)];
  const optionId = (command: Command) => `${list}-${all.indexOf(command)}`;
  const choose = (index: number) => {
    const place = (index + all.length) % Math.max(1, all.length);
    setChosen(place);
    const command = all[place];
    if (command !== undefined)
      document.getElementById(optionId(command))?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command) => {
    onDone();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = current === undefined ? 0 : all.indexOf(current);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choose(at + 1),
      ArrowUp: () => choose(at - 1),
      PageDown: () => choose(Math.min(all.length - 1, at + 10)),
      PageUp: () => choose(Math.max(0, at - 10)),
      Enter: () => current !== undefined && run(current),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  return (
    <div className={css['command']}>
      <input
        className={css['input']}
        role="combobox"
        aria-label={ofAll}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        {...(current === undefined ? {} : { 'aria-activedescendant': optionId(current) })}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label={ofAll} className={css['list']}>
        {shown.map(({ name, commands }) => (
          <fieldset key={name}>
            <legend className={css['heading']}>{name}</legend>
            {commands.map((command) => (
              <div
                key={command.id}
                id={optionId(command)}
                role="option"
                aria-selected={command === current}
                className={css['item']}
                tabIndex={-1}
                onKeyDown={onKeyDown}
                onPointerMove={() => setChosen(all.indexOf(command))}
                onClick={() => run(command)}
              >
                {command.icon}
                <span>{command.name}</span>
                {command.hint !== undefined && <kbd>{command.hint}</kbd>}
              </div>
            ))}
          </fieldset>
        ))}
      </div>
      {all.length === 0 && (
        <p role="status" className={css['empty']}>
          Nothing matches
        </p>
      )}
    </div>
  );
}
