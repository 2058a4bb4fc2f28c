import { useApp } from '../../chat/parts/context';
import type { KeyState } from '../../shared/contract';
import { Group } from './ConnectionsPage';
import { KeyRow } from './KeyRow';
import { OtherVariable } from './OtherVariable';

const GROUPS = ['models', 'web', 'channels', 'mcp', 'other'] as const;

/** Keys by group: present or missing, never a value; set, removed and tried out here (UI-99, CHN-41, CHN-45). */
export function KeyGroups({ keys }: { keys: readonly KeyState[] }): JSX.Element {
  const { t } = useApp();
  return (
    <Group icon="key" title={t('connections.keys')}>
      {GROUPS.map(group => {
        const rows = keys.filter(key => key.group === group);
        return rows.length === 0 && group !== 'other' ? null : (
          <div key={group} role="group" aria-label={t(`connections.group.${group}`)}>
            <h3 className="crew-sec">{t(`connections.group.${group}`)}</h3>
            {rows.map(row => (
              <KeyRow key={row.name} row={row} />
            ))}
            {group === 'other' ? <OtherVariable /> : null}
          </div>
        );
      })}
      <p className="crew-sm crew-2 mend">{t('connections.keys_where')}</p>
    </Group>
  );
}
