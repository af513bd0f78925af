#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

using System.Buffers;
using System.Text;

namespace Tarn.Tests.Streams;

/// <summary>
/// A random program over every member of a pooled stream and a plain one, its model: after each step both report the same, and a step that
/// one refuses is refused by the other and has changed nothing.
/// </summary>
internal sealed partial class StreamProgram : IDisposable
{
    /// <summary>Longer streams are cut: the steps are to be many.</summary>
    private const int LongestKept = 6 << 20;

    private readonly Random _random;
    private readonly PooledMemoryStreamOptions _options;
    private readonly List<(Stream View, long Position)> _views = [];
    private readonly List<(OwnedSequence<byte> Detached, byte[] Contents)> _detached = [];
    private PooledMemoryStream _ours;
    private MemoryStream _theirs = new();
    private string _step = "nothing";

    internal StreamProgram(int seed, PooledMemoryStreamOptions options)
    {
        _random = new Random(seed);
        _options = options;
        _ours = new PooledMemoryStream(options);
    }

    private bool HasArray => _options.Heap is null;

    private long MaxCapacity => _options.MaxCapacity;

    internal async Task Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            try
            {
                await Step();
                Verify(all: step % 8 == 0 || _theirs.Length < 20_000);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"Step {step} ({_step}) at {_theirs.Position} of {_theirs.Length}: {e.Message}", e);
            }
        }
    }

    public void Dispose()
    {
        _ours.Dispose();
        if (_options.KeepContentsOnDispose)
        {
            _ours.Detach().Dispose();
        }

        _detached.ForEach(static one => one.Detached.Dispose());
        _theirs.Dispose();
    }

    private async Task Step()
    {
        switch (_random.Next(100))
        {
            case < 25:
                await Write(Bytes(), _random.Next(6));
                break;
            case < 40:
                await Read(Length(), _random.Next(5));
                break;
            case < 52:
                Move();
                break;
            case < 60:
                SetLength();
                break;
            case < 63:
                SetCapacity();
                break;
            case < 75:
                WriteInPlace();
                break;
            case < 78:
                await Copy(_random.Next(3));
                break;
            case < 82:
                await CopyFrom();
                break;
            case < 85:
                LookAtArray();
                break;
            case < 88:
                WriteOwn();
                break;
            case < 92:
                LookAtViews();
                break;
            case < 94:
                Detach();
                break;
            case < 97:
                await RefuseBadArguments();
                break;
            default:
                Renew();
                break;
        }
    }

    /// <summary>Mostly short, around the ends of segments, and now and then megabytes.</summary>
    private int Length() => _random.Next(100) switch
    {
        < 5 => 0,
        < 45 => _random.Next(1, 40),
        < 70 => _random.Next(1, 3000),
        < 90 => (256 << _random.Next(10)) + _random.Next(-1, 2),
        < 97 => _random.Next(1, 300_000),
        _ => _random.Next(1, 3 << 20),
    };

    private byte[] Bytes() => Contents.Of(Length(), _random.Next());

    private long PositionAnywhere() => _random.Next(10) switch
    {
        0 => 0,
        < 4 => _theirs.Length,
        4 => _theirs.Length + Length(),
        _ => _random.NextInt64(_theirs.Length + 1),
    };

    private void Move()
    {
        long position = PositionAnywhere();
        int way = _random.Next(4);
        _step = $"to {position}, way {way}";
        foreach (MemoryStream stream in (MemoryStream[])[_ours, _theirs])
        {
            switch (way)
            {
                case 0:
                    stream.Position = position;
                    break;
                case 1:
                    Assert.Equal(position, stream.Seek(position, SeekOrigin.Begin));
                    break;
                case 2:
                    Assert.Equal(position, stream.Seek(position - stream.Position, SeekOrigin.Current));
                    break;
                default:
                    Assert.Equal(position, stream.Seek(position - stream.Length, SeekOrigin.End));
                    break;
            }
        }
    }

    private async Task Write(byte[] bytes, int way)
    {
        _step = $"write {bytes.Length}, way {way}";
        int count = way == 5 ? 1 : bytes.Length;
        bytes = count > bytes.Length ? [7] : bytes;
        if (_theirs.Position + count > MaxCapacity)
        {
            await Assert.ThrowsAsync<IOException>(() => WriteOurs(bytes, way));
            return;
        }

        await WriteOurs(bytes, way);
        _theirs.Write(bytes, 0, count);
    }

    private async Task WriteOurs(byte[] bytes, int way)
    {
        switch (way)
        {
            case 0:
                _ours.Write(bytes);
                break;
            case 1:
                _ours.Write([1, .. bytes, 2], 1, bytes.Length);
                break;
            case 2:
                await _ours.WriteAsync(bytes.AsMemory());
                break;
            case 3:
                await _ours.WriteAsync(bytes, 0, bytes.Length);
                break;
            case 4:
                _ours.Write(new ReadOnlySequence<byte>(bytes));
                break;
            default:
                _ours.WriteByte(bytes[0]);
                break;
        }
    }

    private async Task Read(int count, int way)
    {
        _step = $"read {count}, way {way}";
        byte[] expected = new byte[count];
        byte[] actual = new byte[count];
        if (way == 4)
        {
            Assert.Equal(_theirs.ReadByte(), _ours.ReadByte());
            return;
        }

        int read = way switch
        {
            0 => _ours.Read(actual),
            1 => _ours.Read(actual, 0, count),
            2 => await _ours.ReadAsync(actual.AsMemory()),
            _ => await _ours.ReadAsync(actual, 0, count),
        };
        Assert.Equal(_theirs.Read(expected), read);
        Assert.True(expected.AsSpan().SequenceEqual(actual), "Something else was read.");
    }

    private void SetLength()
    {
        long length = _random.Next(3) == 0 ? _theirs.Length + Length() : PositionAnywhere();
        _step = $"length {length}";
        if (length > MaxCapacity)
        {
            Assert.Throws<IOException>(() => _ours.SetLength(length));
            return;
        }

        _ours.SetLength(length);
        _theirs.SetLength(length);
    }

    private void SetCapacity()
    {
        long capacity = _theirs.Length + (_random.Next(3) * Length());
        _step = $"capacity {capacity}";
        if (capacity > MaxCapacity)
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => _ours.LongCapacity = capacity);
            return;
        }

        _ours.LongCapacity = capacity;
        Assert.InRange(_ours.LongCapacity, capacity, MaxCapacity);
        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Capacity = (int)_theirs.Length - 1);
    }

    /// <summary>Sometimes requests memory twice, or in vain. Bytes written and not advanced over are never visible.</summary>
    private void WriteInPlace()
    {
        int hint = _random.Next(2) == 0 ? 0 : Length();
        _step = $"place for {hint}";
        if (_theirs.Position + Math.Max(hint, 1) > MaxCapacity)
        {
            WriteInPlaceBeyondLimit(hint);
            return;
        }

        Span<byte> span = _random.Next(3) == 0 ? _ours.GetMemory(hint).Span : _ours.GetSpan(hint);
        span = _random.Next(4) == 0 ? _ours.GetSpan(hint) : span;
        Assert.InRange(span.Length, Math.Max(hint, 1), Array.MaxLength);
        span[..Math.Min(span.Length, 100_000)].Fill(0xDD);
        int count = (int)Math.Min(_random.Next(Math.Min(span.Length, 400_000) + 1), MaxCapacity - _theirs.Position);
        _step += $", {count} of {span.Length}";
        byte[] bytes = Contents.Of(count, _random.Next());
        bytes.CopyTo(span);
        int room = span.Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ours.Advance(-1));
        if (_random.Next(5) > 0)
        {
            _ours.Advance(count);
            _theirs.Write(bytes);
        }
    }

    /// <summary>The limit counts what becomes part of the stream, not what was asked for.</summary>
    private void WriteInPlaceBeyondLimit(int hint)
    {
        Memory<byte> memory = _ours.GetMemory(hint);
        Assert.InRange(memory.Length, Math.Max(1, hint), int.MaxValue);
        Assert.Throws<IOException>(() => _ours.Advance(memory.Length));
        int count = (int)Math.Clamp(MaxCapacity - _theirs.Position, 0, _random.Next(memory.Length + 1));
        if (count > 0)
        {
            byte[] bytes = Contents.Of(count, _random.Next());
            bytes.CopyTo(memory.Span);
            _ours.Advance(count);
            _theirs.Write(bytes);
        }
    }

    private async Task Copy(int way)
    {
        _step = $"copy, way {way}";
        using MemoryStream expected = new();
        using MemoryStream actual = new();
        switch (way)
        {
            case 0:
                _theirs.CopyTo(expected);
                _ours.CopyTo(actual);
                break;
            case 1:
                await _theirs.CopyToAsync(expected);
                await _ours.CopyToAsync(actual);
                break;
            default:
                _theirs.WriteTo(expected);
                _ours.WriteTo(actual);
                break;
        }

        Assert.True(
            expected.GetBuffer().AsSpan(0, (int)expected.Length).SequenceEqual(actual.GetBuffer().AsSpan(0, (int)actual.Length)),
            "The copy is another.");
    }

    private void LookAtArray()
    {
        _step = "array";
        Assert.Equal(HasArray, _ours.TryGetBuffer(out ArraySegment<byte> buffer));
        if (HasArray)
        {
            Assert.Same(buffer.Array, _ours.GetBuffer());
            Assert.True(
                buffer.AsSpan().SequenceEqual(_theirs.GetBuffer().AsSpan(0, (int)_theirs.Length)), "The array holds something else.");
            if (_random.Next(3) == 0)
            {
                // A holder of the array may write to it, even after the length. Such bytes are never visible.
                buffer.Array!.AsSpan(buffer.Count, Math.Min(1000, buffer.Array!.Length - buffer.Count)).Fill(0xDD);
            }
        }

        if (_theirs.Length < 10_000)
        {
            Assert.Equal(Encoding.Latin1.GetString(_theirs.ToArray()), _ours.GetString(Encoding.Latin1));
        }
    }

    private void Verify(bool all)
    {
        Assert.Equal((_theirs.Length, _theirs.Position), (_ours.Length, _ours.Position));
        Assert.InRange(_ours.LongCapacity, _ours.Length, MaxCapacity);
        if (!all)
        {
            return;
        }

        ReadOnlySpan<byte> expected = _theirs.GetBuffer().AsSpan(0, (int)_theirs.Length);
        ReadOnlySequence<byte> sequence = _ours.GetReadOnlySequence();
        Assert.Equal(_theirs.Length, sequence.Length);
        foreach (ReadOnlyMemory<byte> part in sequence)
        {
            int differs = part.Span.CommonPrefixLength(expected);
            if (differs < part.Length)
            {
                Assert.Fail($"The byte at {_theirs.Length - expected.Length + differs} is another.");
            }

            expected = expected[part.Length..];
        }
    }
}
