/** Commands that are available on every screen. */
import {
  Ban,
  BookOpen,
  Clock,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  OctagonX,
  Pause,
  Play,
  Plus,
  Rows3,
  ShieldOff,
} from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useGet } from '../api/queries.ts';
import { signOut, useMaybeAccount } from '../api/session.ts';
import { changeSettings, useSettings } from '../api/settings.ts';
import type { Settings } from '../api/settings-values.ts';
import { sayError } from '../components/toast.tsx';
import { resumeName } from './panic-text.ts';
import { askForBrake, setPaused } from './stop-request.ts';

export interface PaletteAction {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Keyboard shortcut of the same action. */
  readonly keys?: string;
  readonly act: () => void;
}

function openReference(): void {
  open('/docs', '_blank', 'noopener');
}

/** @param onKeys shows the list of shortcuts; must keep its identity from render to render */
export function useActions(onKeys: () => void): readonly PaletteAction[] {
  const [, navigate] = useLocation();
  const account = useMaybeAccount();
  const { data: safety } = useGet('GET /safety', {}, { shared: true });
  // Name of the resume command; null: new orders are not paused.
  const resume = safety?.paused === true ? resumeName(safety) : null;
  const { density, zone } = useSettings();
  const hasAccount = account !== null;
  return useMemo(
    () => actionsOf({ navigate, onKeys, hasAccount, resume, density, zone }),
    [navigate, onKeys, hasAccount, resume, density, zone],
  );
}

interface ActionFacts extends Pick<Settings, 'density' | 'zone'> {
  readonly navigate: (path: string) => void;
  readonly onKeys: () => void;
  readonly hasAccount: boolean;
  readonly resume: string | null;
}

function actionsOf(facts: ActionFacts): readonly PaletteAction[] {
  const { navigate, onKeys, hasAccount, resume, density, zone } = facts;
  const roomier = density === 'compact';
  return [
    ...(!hasAccount
      ? []
      : [
          { name: 'New basket', icon: Plus, act: () => navigate('/trade') },
          { name: 'Cancel all resting…', icon: Ban, act: () => askForBrake('cancel') },
        ]),
    resume === null
      ? { name: 'Pause new orders', icon: Pause, act: () => void setPaused(true) }
      : { name: resume, icon: Play, act: () => void setPaused(false) },
    { name: 'Close everything…', icon: OctagonX, act: () => askForBrake('close') },
    { name: 'Revoke all agents…', icon: ShieldOff, act: () => askForBrake('agents') },
    { name: 'Add a trade account', icon: Plus, act: () => navigate('/accounts?add') },
    { name: 'Create an API key', icon: KeyRound, act: () => navigate('/developers/keys?create') },
    { name: 'API reference', icon: BookOpen, act: openReference },
    { name: 'Keyboard shortcuts', icon: Keyboard, keys: '?', act: onKeys },
    {
      name: roomier ? 'Comfortable rows' : 'Compact rows',
      icon: Rows3,
      act: () => changeSettings({ density: roomier ? 'comfortable' : 'compact' }),
    },
    {
      name: zone === 'utc' ? 'Times in the local zone' : 'Times in UTC',
      icon: Clock,
      act: () => changeSettings({ zone: zone === 'utc' ? 'local' : 'utc' }),
    },
    {
      name: 'Sign out',
      icon: LogOut,
      act: () => {
        signOut().catch((error: unknown) => sayError('Still signed in', error));
      },
    },
  ];
}
