using System.Buffers;

namespace Tarn.Tests.Streams;

/// <content>Steps over the contents as a whole.</content>
internal sealed partial class StreamProgram
{
    private async Task CopyFrom()
    {
        byte[] bytes = Bytes();
        int way = _random.Next(4);
        _step = $"{bytes.Length} from another stream, way {way}";
        using TricklingStream source = new(bytes, bytes.Length < 5000 ? _random.Next(1, 400) : 50_000, canSeek: way % 2 == 0);
        if (_theirs.Length + bytes.Length > MaxCapacity)
        {
            await WriteFromTooMuch(source, bytes, isAsync: way < 2);
            return;
        }

        Assert.Equal(bytes.Length, way < 2 ? await _ours.CopyFromAsync(source) : _ours.CopyFrom(source));
        _theirs.Seek(0, SeekOrigin.End);
        _theirs.Write(bytes);
    }

    /// <summary>A source with a known length is not read at all. Of another one, the beginning was copied.</summary>
    private async Task WriteFromTooMuch(TricklingStream source, byte[] bytes, bool isAsync)
    {
        await Assert.ThrowsAsync<IOException>(async () => _ = isAsync ? await _ours.CopyFromAsync(source) : _ours.CopyFrom(source));
        if (!source.CanSeek)
        {
            int taken = (int)(_ours.Length - _theirs.Length);
            Assert.InRange(taken, 0, bytes.Length - 1);
            _theirs.Seek(0, SeekOrigin.End);
            _theirs.Write(bytes, 0, taken);
        }
    }

    private void WriteOwn()
    {
        long from = _random.NextInt64(_theirs.Length + 1);
        long count = _random.NextInt64(_theirs.Length - from + 1);
        _step = $"{count} of its own from {from}";
        if (_theirs.Position + count > MaxCapacity)
        {
            Assert.Throws<IOException>(() => _ours.Write(_ours.GetReadOnlySequence().Slice(from, count)));
            return;
        }

        byte[] bytes = _theirs.GetBuffer().AsSpan((int)from, (int)count).ToArray();
        _ours.Write(_ours.GetReadOnlySequence().Slice(from, count));
        _theirs.Write(bytes);
    }

    /// <summary>Views stay open over changes and read the current contents.</summary>
    private void LookAtViews()
    {
        _step = "views";
        if (_views.Count < 3)
        {
            _views.Add((_ours.OpenRead(), 0));
        }

        byte[] buffer = new byte[Length()];
        for (int i = 0; i < _views.Count; i++)
        {
            (Stream view, long position) = _views[i];
            Assert.Equal((_theirs.Length, position), (view.Length, view.Position));
            position = _random.Next(2) == 0 ? PositionAnywhere() : position;
            view.Position = position;
            int read = view.Read(buffer);
            int expected = (int)Math.Clamp(_theirs.Length - position, 0, buffer.Length);
            Assert.Equal(expected, read);
            Assert.True(
                expected == 0 || buffer.AsSpan(0, read).SequenceEqual(_theirs.GetBuffer().AsSpan((int)position, read)),
                "A view read something else.");
            _views[i] = (view, position + read);
        }

        if (_random.Next(4) == 0)
        {
            _views[0].View.Dispose();
            _views.RemoveAt(0);
        }
    }

    private void Detach()
    {
        _step = "detach";
        OwnedSequence<byte> detached = _ours.Detach();
        byte[] expected = _theirs.ToArray();
        Assert.Equal((0, 0, 0), (_ours.Length, _ours.Position, _ours.LongCapacity));
        Assert.Equal(expected.Length, detached.Length);
        _detached.Add((detached, expected));
        _theirs.Dispose();
        _theirs = new MemoryStream();
        foreach ((OwnedSequence<byte> one, byte[] contents) in _detached)
        {
            Assert.True(one.Sequence.ToArray().AsSpan().SequenceEqual(contents), "A detached sequence has changed.");
        }

        if (_detached.Count > 3)
        {
            _detached[0].Detached.Dispose();
            _detached[0].Detached.Dispose();
            _detached.RemoveAt(0);
        }
    }

    private async Task RefuseBadArguments()
    {
        _step = "bad arguments";
        foreach (Func<Task> refused in (Func<Task>[])
            [
                () => Do(() => _ours.Write(new byte[4], 1, int.MaxValue)), () => Do(() => _ours.Write(null!, 0, 0)),
                () => Do(() => _ours.Position = -1),
                () => Do(() => _ours.SetLength(-1)), () => Do(() => _ours.CopyTo(null!)), () => Do(() => _ours.GetSpan(-1)),
                () => Do(() => _ours.GetMemory(-1)), () => Do(() => _ours.Advance(-1)), () => Do(() => _ours.CopyFrom(_ours)),
                () => Do(() => _ours.LongCapacity = -1), () => Do(() => _ours.Seek(0, (SeekOrigin)5)),
                () => _ours.ReadAsync(new byte[3], 2, 2),
            ])
        {
            await Assert.ThrowsAnyAsync<ArgumentException>(refused);
        }

        await Assert.ThrowsAsync<IOException>(() => Do(() => _ours.Seek(-1, SeekOrigin.Begin)));
    }

    /// <summary>Disposes and recreates the stream, sometimes with room already; or only cuts it, so that it is not always long.</summary>
    private void Renew()
    {
        _step = "renew";
        if (_theirs.Length < LongestKept && _random.Next(3) > 0)
        {
            return;
        }

        _views.ForEach(static one => one.View.Dispose());
        _views.Clear();
        _ours.Dispose();
        if (_options.KeepContentsOnDispose)
        {
            Assert.True(
                _ours.ToArray().AsSpan().SequenceEqual(_theirs.GetBuffer().AsSpan(0, (int)_theirs.Length)), "The contents were not kept.");
            Assert.Equal(HasArray, _ours.TryGetBuffer(out _));
            _ours.Detach().Dispose();
        }

        Assert.Throws<ObjectDisposedException>(() => _ours.WriteByte(1));
        _ours = new PooledMemoryStream(_options, _random.Next(2) * Math.Min(Length(), MaxCapacity));
        _theirs.Dispose();
        _theirs = new MemoryStream();
    }

    private static Task Do(Action action)
    {
        action();
        return Task.CompletedTask;
    }
}
