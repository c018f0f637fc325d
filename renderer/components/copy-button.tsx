/** Copies a text and confirms the copy. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { say } from './toast.tsx';

const SAID_MS = 1_500;

/** @param label the button's name: "Copy request id" */
export function CopyButton({
  text,
  label,
  words = false,
  kind = 'secondary',
}: {
  readonly text: string;
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly words?: boolean;
  /** Look of the button when it shows its label. */
  readonly kind?: 'primary' | 'secondary';
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => say('The browser did not allow copying', { kind: 'error' }),
    );
  };
  const icon = copied ? <Check /> : <Copy />;
  if (words)
    return (
      <Button kind={kind} icon={icon} onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    );
  return <IconButton label={copied ? 'Copied' : label} icon={icon} onClick={copy} />;
}
