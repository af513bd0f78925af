namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>Calls that are refused, and change nothing.</content>
internal sealed partial class RingProgram
{
    private void RefuseLengths()
    {
        _step = "wrong lengths";
        int wrong = _random.Next(3) == 0 ? int.MaxValue : Longest + 1 + _random.Next(9);
        byte[] bytes = new byte[Math.Min(wrong, 10_000)];
        Assert.Throws<ArgumentException>("message", () => _writer.Write(bytes));
        Assert.Throws<ArgumentException>("message", () => _writer.TryWrite(bytes));
        foreach (int length in (int[])[wrong, -wrong])
        {
            Assert.Throws<ArgumentOutOfRangeException>("length", () => _writer.BeginWrite(length));
            Assert.Throws<ArgumentOutOfRangeException>("length", () => _writer.TryBeginWrite(length, out _));
        }
    }

    private void RefuseDestination()
    {
        _step = "too small a destination";
        if (_model.Count > 0 && _model.Peek() is { Length: > 0 } message)
        {
            byte[] destination = new byte[_random.Next(message.Length)];
            Assert.Throws<ArgumentException>("destination", () => _reader.Read(destination));
            Assert.Throws<ArgumentException>("destination", () => _reader.TryRead(destination, out _));
            Assert.Equal(new byte[destination.Length], destination);
        }
    }

    /// <summary>Another ring replaces the disposed one. A begun write is forgotten, and published messages stay.</summary>
    private void Succeed()
    {
        bool isWriter = _random.Next(2) == 0;
        _step = $"another {(isWriter ? "writer" : "reader")}";
        ref SharedRing ring = ref (isWriter ? ref _writer : ref _reader);
        SharedRing before = ring;
        ring = SharedRing.Open(_name);
        before.Dispose();
        if (isWriter)
        {
            Assert.Throws<ObjectDisposedException>(() => before.TryWrite([]));
            _begunWrite = null;
        }
        else
        {
            Assert.Throws<ObjectDisposedException>(() => before.TryRead([], out _));
            _begunRead = null;
        }
    }

    private void RefuseSecond()
    {
        _step = "a second one";
        _writer.AttachWriter();
        _reader.AttachReader();
        Assert.Throws<InvalidOperationException>(_maker.AttachWriter);
        Assert.Throws<InvalidOperationException>(() => _maker.TryWrite([]));
        Assert.Throws<InvalidOperationException>(_maker.AttachReader);
        Assert.Throws<InvalidOperationException>(() => _maker.TryRead([], out _));
        Assert.Equal((Environment.ProcessId, Environment.ProcessId), (_maker.WriterProcessId, _maker.ReaderProcessId));
    }

    /// <summary>Cancels before the call, which then does not begin, or while it waits. The call may report a departed peer first.</summary>
    private void AssertCancelled(Action<CancellationToken> call)
    {
        using CancellationTokenSource cancelled = new();
        if (_random.Next(8) > 0)
        {
            cancelled.Cancel();
        }
        else
        {
            cancelled.CancelAfter(TimeSpan.FromMilliseconds(1));
        }

        try
        {
            call(cancelled.Token);
            Assert.Fail("The call was not possible and not cancelled.");
        }
        catch (OperationCanceledException e)
        {
            Assert.Equal(cancelled.Token, e.CancellationToken);
        }
        catch (SharedPeerLostException e)
        {
            Assert.Equal((Environment.ProcessId, true), (e.ProcessId, e.HasLeft));
        }
    }
}
