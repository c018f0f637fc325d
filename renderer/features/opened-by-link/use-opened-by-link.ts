/**
 * A dialog that an address opens too: `/accounts?add`. The parameter leaves the address at once, so that a reload opens
 * nothing.
 */
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

/** @returns whether the dialog is open, and the setter */
export function useOpenedByLink(word: string) {
  const [isOpen, setOpen] = useState(false);
  const search = useSearch();
  const [place, navigate] = useLocation();
  const isAsked = new URLSearchParams(search).has(word);
  useEffect(() => {
    if (!isAsked) return;
    navigate(place, { replace: true });
    setOpen(true);
  }, [isAsked, place, navigate]);
  return [isOpen, setOpen] as const;
}
