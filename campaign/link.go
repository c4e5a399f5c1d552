package campaign

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Link is a connection to a campaign. It connects again when the connection breaks.
type Link struct {
	names
	nats *nats.Conn
	js   jetstream.JetStream

	mu      sync.Mutex
	buckets map[string]jetstream.KeyValue // by name
}

// A Header describes a campaign. Only its owner writes it.
type Header struct {
	Version  int       `json:"version"`
	Revision string    `json:"revision"` // of Leveret
	Code     string    `json:"code"`     // of all contracts, see Code
	Digest   string    `json:"digest"`   // SHA-256 of the manifest as it travels
	Stopped  bool      `json:"stopped,omitempty"`
	Started  time.Time `json:"started"`
}

// headerVersion is that of Header and of everything that workers exchange.
const headerVersion = 1

// The keys of the Header and of the manifest.
const (
	headerKey    = "campaign"
	manifestName = "manifest"
)

// The longest waits for an answer of the broker, and for the manifest.
const (
	answerTime   = 5 * time.Second
	manifestTime = 10 * time.Minute
)

// Limits of the broker's streams.
const (
	maxEntry   = 64 << 10  // bytes of an input
	maxFinding = 256 << 10 // bytes of a witness
	maxHeaders = 1 << 10   // bytes beside them
	presence   = 30 * time.Second
	duplicates = 10 * time.Minute // in which the broker drops what it has
)

// Dial connects to the server of a campaign. It does not look for the campaign.
func Dial(a Address) (*Link, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	options := append(a.options(),
		nats.Name("leveret"), nats.Timeout(answerTime), nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond),
		nats.ReconnectBufSize(-1), nats.PingInterval(5*time.Second), nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	)
	connection, err := nats.Connect(a.URL, options...)
	if err != nil {
		return nil, a.unconnected(err)
	}
	js, err := jetstream.New(connection, jetstream.WithDefaultTimeout(answerTime))
	if err != nil {
		connection.Close()
		return nil, err
	}
	return &Link{nats: connection, js: js, names: newNames(a.Name), buckets: map[string]jetstream.KeyValue{}}, nil
}

// bucket returns a bucket. It asks the broker once.
func (l *Link) bucket(ctx context.Context, name string) (jetstream.KeyValue, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.buckets[name]; known != nil {
		return known, nil
	}
	b, err := l.js.KeyValue(ctx, name)
	if err == nil {
		l.buckets[name] = b
	}
	return b, err
}

// Open connects to a campaign.
func Open(ctx context.Context, a Address) (*Link, error) {
	l, err := Dial(a)
	if err != nil {
		return nil, err
	}
	if err := l.find(ctx, a); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// find chooses the only campaign if none is named.
func (l *Link) find(ctx context.Context, a Address) error {
	if a.Name != "" {
		return l.named(ctx, a)
	}
	have, err := l.list(ctx)
	if err != nil {
		return fmt.Errorf("%s has no campaign that can be seen: %w; is it a NATS server with JetStream?", Redacted(a.URL), err)
	}
	switch len(have) {
	case 0:
		return fmt.Errorf("there is no campaign at %s; leveret campaign start begins one", Redacted(a.URL))
	case 1:
		l.names = newNames(have[0])
		return nil
	}
	return fmt.Errorf("there are several campaigns at %s; choose one with --name: %s", Redacted(a.URL), strings.Join(have, ", "))
}

// named looks whether there is a campaign of the given name.
func (l *Link) named(ctx context.Context, a Address) error {
	if err := CheckName(a.Name); err != nil {
		return err
	}
	_, problem := l.Header(ctx)
	if problem == nil {
		return nil
	}
	if have, err := l.list(ctx); err == nil && len(have) > 0 && !slices.Contains(have, a.Name) {
		return fmt.Errorf("there is no campaign %s at %s; choose another --name: %s", a.Name, Redacted(a.URL), strings.Join(have, ", "))
	}
	return problem
}

// list returns the names of the campaigns at the server, in order.
func (l *Link) list(ctx context.Context) (have []string, err error) {
	err = within(ctx, func(ctx context.Context) error {
		lister := l.js.KeyValueStoreNames(ctx)
		for bucket := range lister.Name() {
			if name := campaignOf(bucket); name != "" {
				have = append(have, name)
			}
		}
		return cmp.Or(lister.Error(), ctx.Err())
	})
	slices.Sort(have)
	return have, err
}

// Name returns the name of the campaign.
func (l *Link) Name() string { return l.campaign }

// Close ends the connection.
func (l *Link) Close() { l.nats.Close() }

// Header reads the description of the campaign.
func (l *Link) Header(ctx context.Context) (*Header, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	bucket, err := l.bucket(ctx, l.state)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("there is no campaign %s; leveret campaign start begins one", l.campaign)
	}
	if err != nil {
		return nil, l.unread(err)
	}
	entry, err := bucket.Get(ctx, headerKey)
	if err != nil {
		return nil, l.unread(err)
	}
	h := new(Header)
	if err := json.Unmarshal(entry.Value(), h); err != nil {
		return nil, l.unread(err)
	}
	return h, nil
}

// Watch calls each with the description of the campaign, at once and whenever it changes,
// until ctx is done.
func (l *Link) Watch(ctx context.Context, each func(*Header)) error {
	bucket, err := l.bucket(ctx, l.state)
	if err != nil {
		return l.unread(err)
	}
	watcher, err := bucket.Watch(ctx, headerKey)
	if err != nil {
		return l.unread(err)
	}
	defer watcher.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry := <-watcher.Updates():
			h := new(Header)
			if entry != nil && json.Unmarshal(entry.Value(), h) == nil { // nil ends what there was
				each(h)
			}
		}
	}
}

// unread says that something of the campaign could not be read.
func (l *Link) unread(err error) error {
	if !l.nats.IsConnected() {
		return fmt.Errorf("the server of campaign %s does not answer", l.campaign)
	}
	return fmt.Errorf("campaign %s cannot be read: %w", l.campaign, err)
}

// put writes the description of the campaign.
func (l *Link) put(ctx context.Context, h *Header) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	bucket, err := l.bucket(ctx, l.state)
	if err != nil {
		return err
	}
	_, err = bucket.Put(ctx, headerKey, text)
	return err
}

// Stop has all workers end. The campaign keeps what it has.
func (l *Link) Stop(ctx context.Context) error {
	h, err := l.Header(ctx)
	if err != nil {
		return err
	}
	h.Stopped = true
	if err := l.put(ctx, h); err != nil {
		return fmt.Errorf("campaign %s cannot be stopped: %w; use the owner's URL, which leveret campaign start printed", l.campaign, err)
	}
	return nil
}

// Manifest reads what the campaign works on.
func (l *Link) Manifest(ctx context.Context, h *Header) (*Manifest, error) {
	if h.Version != headerVersion {
		return nil, fmt.Errorf("campaign %s has version %d, and this Leveret knows version %d; use the Leveret that started it", l.campaign, h.Version, headerVersion)
	}
	ctx, cancel := context.WithTimeout(ctx, manifestTime)
	defer cancel()
	store, err := l.js.ObjectStore(ctx, l.files)
	if err != nil {
		return nil, fmt.Errorf("the manifest of campaign %s cannot be read: %w", l.campaign, err)
	}
	object, err := store.Get(ctx, manifestName)
	if err != nil {
		return nil, fmt.Errorf("the manifest of campaign %s cannot be read: %w", l.campaign, err)
	}
	defer object.Close()
	text, err := io.ReadAll(io.LimitReader(object, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("the manifest of campaign %s cannot be read: %w", l.campaign, err)
	}
	if len(text) > maxManifest || digestOf(text) != h.Digest {
		return nil, fmt.Errorf("the manifest of campaign %s is not the one that was started; start the campaign again", l.campaign)
	}
	return DecodeManifest(text)
}

// digestOf returns the SHA-256 of a text in hexadecimal.
func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// StoreOptions bound what a campaign takes at the broker.
type StoreOptions struct {
	Store    int64 // bytes
	Replicas int   // of each part in a cluster; 0 means 1
}

// Create makes a campaign, or goes on with the one of that name if it has the same code.
// Workers of another revision end.
func (l *Link) Create(ctx context.Context, m *Manifest, revision string, o StoreOptions) error {
	text, err := m.Encode()
	if err != nil {
		return err
	}
	targets, err := m.Targets("")
	if err != nil {
		return err
	}
	h := &Header{Version: headerVersion, Revision: revision, Code: Code(targets), Digest: digestOf(text), Started: time.Now().UTC()}
	if old, err := l.Header(ctx); err == nil {
		if old.Code != h.Code {
			return fmt.Errorf("campaign %s has other contracts or code; choose another --name for the current ones", l.campaign)
		}
		h.Started = old.Started
	}
	if err := l.createParts(ctx, o); err != nil {
		return fmt.Errorf("campaign %s cannot be created: %w", l.campaign, err)
	}
	ctx, cancel := context.WithTimeout(ctx, manifestTime)
	defer cancel()
	store, err := l.js.ObjectStore(ctx, l.files)
	if err == nil {
		_, err = store.Put(ctx, jetstream.ObjectMeta{Name: manifestName}, bytes.NewReader(text))
	}
	if err == nil {
		err = l.put(ctx, h)
	}
	if err != nil {
		return fmt.Errorf("campaign %s cannot be created: %w", l.campaign, err)
	}
	return nil
}

// createParts makes the streams, the buckets and the store, or changes their limits.
func (l *Link) createParts(ctx context.Context, o StoreOptions) error {
	share := func(parts int64) int64 { return o.Store / 16 * parts }
	streams := []jetstream.StreamConfig{
		{Name: l.entries, Subjects: []string{l.entry("*")}, MaxBytes: share(6), MaxMsgSize: maxEntry + maxHeaders},
		{Name: l.findings, Subjects: []string{l.finding("*")}, MaxBytes: share(3), MaxMsgSize: maxFinding + maxHeaders},
	}
	for _, s := range streams {
		// What is full refuses what is new: it keeps what was published.
		s.Discard, s.Duplicates, s.Replicas, s.DenyDelete, s.DenyPurge = jetstream.DiscardNew, duplicates, o.Replicas, true, true
		s.AllowDirect = true
		if _, err := l.js.CreateOrUpdateStream(ctx, s); err != nil {
			return err
		}
	}
	for _, b := range []jetstream.KeyValueConfig{
		{Bucket: l.state, MaxBytes: 1 << 20, MaxValueSize: 16 << 10},
		{Bucket: l.presence, MaxBytes: 16 << 20, MaxValueSize: 16 << 10, TTL: presence},
		{Bucket: l.progress, MaxBytes: 16 << 20, MaxValueSize: 16 << 10},
	} {
		b.Replicas = o.Replicas
		if _, err := l.js.CreateOrUpdateKeyValue(ctx, b); err != nil {
			return err
		}
	}
	_, err := l.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: l.files, MaxBytes: share(6), Replicas: o.Replicas})
	return err
}
