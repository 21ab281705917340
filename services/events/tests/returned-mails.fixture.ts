// Mails as mail servers send them back, with invented names.

export const postfixUnknown = `Return-Path: <>
Received: by mx.r.example (Postfix)
	id 4XyZ1k0abc; Mon, 23 Nov 2026 04:00:02 +0000 (UTC)
Date: Mon, 23 Nov 2026 04:00:02 +0000 (UTC)
From: MAILER-DAEMON@mx.r.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: bounce+16-0123456789abcdef0123@r.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4XyZ1j6def.1795406402/mx.r.example"
Content-Transfer-Encoding: 8bit
Message-Id: <4XyZ1k0abc@mx.r.example>

This is a MIME-encapsulated message.

--4XyZ1j6def.1795406402/mx.r.example
Content-Description: Notification
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

This is the mail system at host mx.r.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<noc@example.org>: host mail.example.org[192.0.2.25] said: 550 5.1.1
    <noc@example.org>: Recipient address rejected: User unknown in virtual
    mailbox table (in reply to RCPT TO command)

--4XyZ1j6def.1795406402/mx.r.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.r.example
X-Postfix-Queue-ID: 4XyZ1j6def
X-Postfix-Sender: rfc822; bounce+16-0123456789abcdef0123@r.example
Arrival-Date: Mon, 23 Nov 2026 04:00:01 +0000 (UTC)

Final-Recipient: rfc822; noc@example.org
Original-Recipient: rfc822;noc@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <noc@example.org>: Recipient address rejected:
    User unknown in virtual mailbox table

--4XyZ1j6def.1795406402/mx.r.example
Content-Description: Undelivered Message
Content-Type: message/rfc822
Content-Transfer-Encoding: 8bit

Return-Path: <bounce+16-0123456789abcdef0123@r.example>
From: EXAMPLE registry <noreply@r.example>
To: noc@example.org
Subject: Notification of EXAMPLE database changes

This is an automatic message of the EXAMPLE database.

--4XyZ1j6def.1795406402/mx.r.example--
`;

export const postfixDelayed = postfixUnknown
  .replace('Undelivered Mail Returned to Sender', 'Delayed Mail (still being retried)')
  .replace('Action: failed\nStatus: 5.1.1', 'Action: delayed\nStatus: 4.4.1')
  .replace(
    /Diagnostic-Code: [\s\S]*?\n\n/,
    `Diagnostic-Code: X-Postfix; connect to
    mail.example.org[192.0.2.25]:25: Connection timed out
Will-Retry-Until: Sat, 28 Nov 2026 04:00:01 +0000 (UTC)

`,
  );

export const eximUnknown = `Return-path: <>
Received: from Debian-exim by mx.r.example with local (Exim 4.98)
	id 1vN0aB-00000001abc-2xYz
	for bounce+16-0123456789abcdef0123@r.example;
	Mon, 23 Nov 2026 04:00:02 +0000
X-Failed-Recipients: noc@example.org
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.r.example>
To: bounce+16-0123456789abcdef0123@r.example
References: <test.42@r.example>
Content-Type: multipart/report; report-type=delivery-status; boundary=1795406402-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1vN0aB-00000001abc-2xYz@mx.r.example>
Date: Mon, 23 Nov 2026 04:00:02 +0000

--1795406402-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  noc@example.org
    host mail.example.org [192.0.2.25]
    SMTP error from remote mail server after RCPT TO:<noc@example.org>:
    550 Unrouteable address

--1795406402-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.r.example

Action: failed
Final-Recipient: rfc822;noc@example.org
Status: 5.0.0
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 Unrouteable address

--1795406402-eximdsn-1804289383
Content-type: message/rfc822

Return-path: <bounce+16-0123456789abcdef0123@r.example>
From: EXAMPLE registry <noreply@r.example>
To: noc@example.org
Subject: Notification of EXAMPLE database changes

This is an automatic message of the EXAMPLE database.

--1795406402-eximdsn-1804289383--
`;

export const exchangeUnknown = `Received: from AB1PR01MB0001.prod.example.com (2001:db8:1::17) by
 AB1PR01MB0002.prod.example.com with HTTPS; Mon, 23 Nov 2026 04:00:03 +0000
MIME-Version: 1.0
From: <postmaster@example.org>
To: <bounce+16-0123456789abcdef0123@r.example>
Date: Mon, 23 Nov 2026 04:00:03 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="c3a2b1d0-0001-4c2b-9a51-0f5e6d7c8b9a"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-GB
Message-ID: <00aa11bb-22cc-33dd-44ee-55ff66aa77bb@AB1PR01MB0002.prod.example.com>
In-Reply-To: <test.42@r.example>
References: <test.42@r.example>
Subject: Undeliverable: Notification of EXAMPLE database changes
Auto-Submitted: auto-replied

--c3a2b1d0-0001-4c2b-9a51-0f5e6d7c8b9a
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="d4b3c2e1-0002-4c2b-9a51-0f5e6d7c8b9a"

--d4b3c2e1-0002-4c2b-9a51-0f5e6d7c8b9a
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Delivery has failed to these recipients or groups:

noc@example.org<mailto:noc@example.org>
The email address you entered couldn't be found.

--d4b3c2e1-0002-4c2b-9a51-0f5e6d7c8b9a
Content-Type: text/html; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

<html><body><p>Delivery has failed to these recipients or groups:</p></body></html>

--d4b3c2e1-0002-4c2b-9a51-0f5e6d7c8b9a--

--c3a2b1d0-0001-4c2b-9a51-0f5e6d7c8b9a
Content-Type: message/delivery-status

Reporting-MTA: dns;AB1PR01MB0002.prod.example.com
Received-From-MTA: dns;mx.r.example
Arrival-Date: Mon, 23 Nov 2026 04:00:02 +0000

Final-Recipient: rfc822;noc@example.org
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient noc@example.org not found by SMTP address lookup
X-Display-Name: noc@example.org

--c3a2b1d0-0001-4c2b-9a51-0f5e6d7c8b9a
Content-Type: message/rfc822

From: EXAMPLE registry <noreply@r.example>
To: <noc@example.org>
Subject: Notification of EXAMPLE database changes

This is an automatic message of the EXAMPLE database.

--c3a2b1d0-0001-4c2b-9a51-0f5e6d7c8b9a--
`;

export const absence = `From: Jane <noc@example.org>
To: bounce+16-0123456789abcdef0123@r.example
Subject: Automatic reply: Notification of EXAMPLE database changes
Auto-Submitted: auto-replied
Content-Type: text/plain; charset=utf-8

I am away until 550 5.1.1 of January. Action: failed
`;
