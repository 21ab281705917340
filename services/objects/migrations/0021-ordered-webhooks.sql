-- Webhooks deliver in order (ADR 0078). Events that waited come again, with those that overtook them.
update webhook w set serial = least(w.serial, x.serial - 1), asked_to = greatest(w.asked_to, w.serial), claim = claim + 1
from (select webhook_id, min(serial) as serial from webhook_waiting group by webhook_id) x where x.webhook_id = w.id;
drop table webhook_waiting;
alter table webhook drop column unordered;
