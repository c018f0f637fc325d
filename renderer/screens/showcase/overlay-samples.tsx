import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, Drawer } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Menu } from '../../components/menu.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { say } from '../../components/toast.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import css from './showcase.module.css';

type Shown = 'dialog' | 'drawer' | 'confirm' | 'hold' | null;
type View = 'price' | 'z' | 'spread';
const VIEWS: readonly Tab<View>[] = [
  { value: 'price', label: 'Price' },
  { value: 'z', label: 'z-score', count: 2 },
  { value: 'spread', label: 'Spread' },
];

export function OverlaySamples() {
  const [shown, setShown] = useState<Shown>(null);
  const [view, setView] = useState<View>('price');
  const close = () => setShown(null);
  return (
    <div className={layout['stack']}>
      <div className={css['row']}>
        <Button onClick={() => setShown('dialog')}>Dialog</Button>
        <Button onClick={() => setShown('drawer')}>Drawer</Button>
        <Button onClick={() => setShown('confirm')}>Confirm</Button>
        <Button onClick={() => setShown('hold')}>Hold</Button>
        <Menu
          trigger={<IconButton label="More" icon={<MoreHorizontal />} />}
          items={[
            { id: 'head', heading: 'BTC / ETH' },
            { id: 'rename', label: 'Rename', icon: <Pencil />, hint: 'F2', onSelect: () => say('Renamed') },
            { id: 'off', label: 'Not possible now', disabled: true, onSelect: () => undefined },
            { id: 'line', separator: true },
            { id: 'remove', label: 'Remove', icon: <Trash2 />, danger: true, onSelect: () => say('Removed') },
          ]}
        />
        <Tooltip text="A few words about it">
          <Button kind="ghost">Tooltip</Button>
        </Tooltip>
      </div>
      <div className={css['row']}>
        <Button onClick={() => say('Basket saved', { kind: 'success' })}>Toast</Button>
        <Button
          onClick={() =>
            say('The basket was not saved', {
              kind: 'error',
              detail: 'The gateway failed · request 0198-abc',
            })
          }
        >
          Error toast
        </Button>
      </div>
      <Tabs tabs={VIEWS} value={view} onChange={setView} label="Chart">
        <p>The panel of {view}.</p>
      </Tabs>
      <Dialog
        open={shown === 'dialog'}
        onClose={close}
        title="Rename the basket"
        description="Its history stays."
        actions={
          <>
            <Button onClick={close}>Back</Button>
            <Button kind="primary" onClick={close}>
              Rename
            </Button>
          </>
        }
      >
        <Field label="Name">
          <Input defaultValue="Majors against DOGE" />
        </Field>
      </Dialog>
      <Drawer open={shown === 'drawer'} onClose={close} title="BTC / ETH" description="Opened 3 h ago">
        <p>Chart, fills, timeline.</p>
      </Drawer>
      <ConfirmDialog
        open={shown === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Cancel the ladder?"
        confirm="Cancel ladder"
        danger
      >
        <p>Its three waiting rungs are cancelled. What is filled stays.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={shown === 'hold'}
        onClose={close}
        onConfirm={close}
        title="Close everything?"
        confirm="Hold to close all"
        hold
      >
        <p>Every position is closed at market.</p>
      </ConfirmDialog>
    </div>
  );
}
