namespace Tarn.Tests.Streams;

/// <summary>A copy whose contents go away in the middle does not look like a whole one.</summary>
public sealed class InterruptedCopyTests : IDisposable
{
    private readonly OwnMemory _memory = new();
    private readonly byte[] _contents = Contents.Of(1_000_000);

    private static readonly Dictionary<string, (Action<PooledMemoryStream> Action, Type Exception)> s_interruptions = new()
    {
        ["disposed"] = (static stream => stream.Dispose(), typeof(ObjectDisposedException)),
        ["detached"] = (static stream => stream.Detach().Dispose(), typeof(InvalidOperationException)),
        ["cut"] = (static stream => stream.SetLength(200_000), typeof(InvalidOperationException)),
    };

    public static TheoryData<string> Interruptions => [.. s_interruptions.Keys];

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Interruptions))]
    public async Task It_fails(string interruption)
    {
        (Action<PooledMemoryStream> action, Type exception) = s_interruptions[interruption];
        foreach (PooledMemoryStreamOptions options in (PooledMemoryStreamOptions[])[_memory.InPool, _memory.InHeap])
        {
            using (PooledMemoryStream stream = CreateWith(options))
            {
                await Assert.ThrowsAsync(exception, () => stream.CopyToAsync(new InterruptingStream(() => action(stream))));
            }

            using (PooledMemoryStream stream = CreateWith(options))
            {
                Assert.Throws(exception, () => stream.CopyTo(new InterruptingStream(() => action(stream))));
            }

            using (PooledMemoryStream stream = CreateWith(options))
            {
                Assert.Throws(exception, () => stream.WriteTo(new InterruptingStream(() => action(stream))));
            }
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public async Task Contents_that_stay_after_dispose_are_copied_to_the_end()
    {
        using PooledMemoryStream stream = CreateWith(new PooledMemoryStreamOptions(_memory.InPool) { KeepContentsOnDispose = true });
        using InterruptingStream destination = new(stream.Dispose);
        await stream.CopyToAsync(destination);
        Assert.Equal(_contents, destination.ToArray());
        stream.Detach().Dispose();
        _memory.AssertNothingInUse();
    }

    private PooledMemoryStream CreateWith(PooledMemoryStreamOptions options)
    {
        PooledMemoryStream stream = new(options);
        Contents.WriteInPieces(stream, _contents, 1000);
        stream.Position = 0;
        return stream;
    }

    /// <summary>Does something after the first write.</summary>
    private sealed class InterruptingStream(Action interruption) : MemoryStream
    {
        private bool _isDone;

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            base.Write(buffer.ToArray(), 0, buffer.Length);
            if (!_isDone)
            {
                _isDone = true;
                interruption();
            }
        }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            Write(buffer.Span);
        }
    }
}
