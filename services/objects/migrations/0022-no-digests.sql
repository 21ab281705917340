-- Each notification is a mail of its own (ADR 0078). Those that waited for others go now.
update notification set due = now() where state = 'waiting' and (due = 'infinity' or id in (select digest from digest_part));
drop table digest_part, mail_pace;
