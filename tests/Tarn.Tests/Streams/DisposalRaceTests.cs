using Tarn.TestChild;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>
/// Every member of every stream races with Dispose, in a process of its own, because what these tests look for ends the process.
/// </summary>
public sealed class DisposalRaceTests
{
    public static TheoryData<string> Memories => [.. RacedMemory.Names];

    [SkippableTheory]
    [MemberData(nameof(Memories))]
    public void A_call_that_a_Dispose_overtakes_throws_that_or_completes(string memory)
    {
        Skip.IfNot(StressLength.IsLong || memory.Split(' ').Length == 1, "two memories are enough here; the long form has each");
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["stream races", memory, $"{StressLength.Times(3, 60)}"], limits: null);

        string[] lines = ChildProcess.Lines(output);
        Assert.True(exitCode == 0, $"The race of {lines.LastOrDefault()} ended the process with {exitCode}: {error}");
        Assert.DoesNotContain(lines, static line => line.StartsWith(StreamRaces.Violation, StringComparison.Ordinal));
        Assert.Equal("done", lines[^1]);
        Assert.Equal(1 + (2 * StreamRaces.MembersFor(memory).Count()), lines.Length);
    }

    /// <summary>A call that entered keeps the memory, and the last one returns it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Memory_stays_until_the_last_call_inside_has_left(bool native)
    {
        using OwnMemory memory = new();
        PooledMemoryStream stream = new(native ? memory.InHeap : memory.InPool);
        stream.Write(Contents.Of(50_000));
        CallInside first = stream.Enter();
        CallInside second = stream.Enter();

        stream.Dispose();
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => stream.Write([1]));
        Assert.Throws<ObjectDisposedException>(() => stream.Position = 7);
        first.Dispose();
        Assert.True(memory.InUse > 0);
        second.Dispose();
        memory.AssertNothingInUse();
    }

    /// <summary>The destination reads the stream's own memory, and what it reads must not be another stream's meanwhile.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_copy_keeps_the_memory_that_its_destination_is_reading(bool native)
    {
        using OwnMemory memory = new();
        PooledMemoryStream stream = new(native ? memory.InHeap : memory.InPool);
        byte[] contents = Contents.Of(300_000);
        stream.Write(contents);
        stream.Position = 0;
        using SlowDestination destination = new();
        Task copy = stream.CopyToAsync(destination);
        await stream.DisposeAsync();

        Assert.True(memory.InUse > 0);
        Assert.True(contents.AsSpan().StartsWith(destination.Received.Span));
        destination.Complete();
        await copy;
        memory.AssertNothingInUse();
    }

    [Fact]
    public async Task A_copy_of_a_native_buffer_pins_what_its_destination_is_reading()
    {
        using OwnMemory memory = new();
        NativeBuffer<byte> buffer = memory.Heap.AllocateBuffer<byte>(300_000);
        await using Stream stream = buffer.AsStream();
        using SlowDestination destination = new();
        Task copy = stream.CopyToAsync(destination);
        ((IDisposable)buffer).Dispose();

        Assert.True(memory.InUse > 0);
        destination.Complete();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => copy);
        memory.AssertNothingInUse();
    }

    /// <summary>A destination that completes its writes when the test says so, and pins nothing.</summary>
    private sealed class SlowDestination : MemoryStream
    {
        private readonly TaskCompletionSource _completion = new();

        internal ReadOnlyMemory<byte> Received { get; private set; }

        internal void Complete() => _completion.SetResult();

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Received = buffer;
            return new ValueTask(_completion.Task);
        }
    }
}
