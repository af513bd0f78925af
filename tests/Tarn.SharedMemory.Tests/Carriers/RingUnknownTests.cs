
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Sides of a ring that cannot see each other, because ids of different namespaces are all they have, or because they run under different
/// kernels: nothing is concluded, no wait is without an end, and every message tells the way out.
/// </summary>
public sealed unsafe class RingUnknownTests : IDisposable
{
    /// <summary>As where no file has seats: the processes have ids alone.</summary>
    private readonly RegionDirectory _withIds = RegionDirectory.Create("file");

    private readonly int _usual = RingSide.MillisecondsForUnknown;

    public RingUnknownTests() => RingSide.MillisecondsForUnknown = 300;

    public void Dispose()
    {
        RingSide.MillisecondsForUnknown = _usual;
        _withIds.Dispose();
    }

    [Fact]
    public void A_reader_waits_a_documented_time_for_a_writer_of_another_namespace()
    {
        using SharedRing ring = SharedRing.Create(_withIds.Names, "ring", 4096);
        using SharedRing theirs = SharedRing.Open(_withIds.Names, "ring");
        InOtherNamespace(() => theirs.Write([1]));
        byte[] message = new byte[16];
        Assert.Equal(1, ring.Read(message));

        AssertSilence(ring, "writer", () => ring.Read(message));
        AssertSilence(ring, "writer", () => ring.BeginRead());
        Assert.Equal(Environment.ProcessId, ring.WriterProcessId);
        InOtherNamespace(() => theirs.Write([1, 2]));
        Assert.Equal(2, ring.Read(message));
    }

    [Fact]
    public void A_writer_waits_a_documented_time_for_a_reader_of_another_namespace()
    {
        using SharedRing ring = SharedRing.Create(_withIds.Names, "ring", 64);
        using SharedRing theirs = SharedRing.Open(_withIds.Names, "ring");
        InOtherNamespace(theirs.AttachReader);
        while (ring.TryWrite(new byte[32]))
        {
        }

        AssertSilence(ring, "reader", () => ring.Write(new byte[32]));
        AssertSilence(ring, "reader", () => ring.BeginWrite(32));
    }

    [Fact]
    public void A_role_of_another_namespace_is_refused_with_the_way_out_until_its_holder_leaves()
    {
        using SharedRing ring = SharedRing.Create(_withIds.Names, "ring", 4096);
        using SharedRing theirs = SharedRing.Open(_withIds.Names, "ring");
        InOtherNamespace(theirs.AttachWriter);

        AssertWayOut(Assert.Throws<InvalidOperationException>(ring.AttachWriter));
        InOtherNamespace(theirs.Dispose);
        ring.AttachWriter();
    }

    [SkippableFact]
    public void A_process_under_another_kernel_is_neither_alive_nor_dead()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using SharedRing ring = SharedRing.Create(directory.Names, "ring", 4096);
        ring.AttachReader();
        SpoilDevice(directory.FileOf("ring"));
        using SharedRing theirs = SharedRing.Open(directory.Names, "ring");
        theirs.Write([1]);
        Assert.Equal(1, ring.Read(new byte[1]));

        AssertSilence(ring, "writer", () => ring.Read(new byte[1]));
        Assert.Equal(Environment.ProcessId, ring.WriterProcessId);
        theirs.Dispose();
        ring.Header->Writer = ((ulong)int.MaxValue << 32) | 1;
        AssertWayOut(Assert.Throws<InvalidOperationException>(ring.AttachWriter));
    }

    [Fact]
    public void Cancellation_and_messages_end_the_wait_before()
    {
        RingSide.MillisecondsForUnknown = 60_000;
        using SharedRing ring = SharedRing.Create(_withIds.Names, "ring", 4096);
        using SharedRing theirs = SharedRing.Open(_withIds.Names, "ring");
        InOtherNamespace(() => theirs.Write([]));
        Assert.Equal(0, ring.Read([]));
        using CancellationTokenSource soon = new(200);
        Assert.Throws<OperationCanceledException>(() => ring.Read([], soon.Token));
    }

    private static void AssertSilence(SharedRing ring, string role, Action call)
    {
        string message = AssertWayOut(Assert.Throws<TimeoutException>(call));
        Assert.Contains($"The ring \"{ring.Name}\" has waited", message, StringComparison.Ordinal);
        Assert.Contains($"for its {role}, process {Environment.ProcessId}", message, StringComparison.Ordinal);
        Assert.Contains("call again to wait longer", message, StringComparison.Ordinal);
    }

    private static string AssertWayOut(Exception e)
    {
        Assert.Contains("cannot see whether", e.Message, StringComparison.Ordinal);
        Assert.Contains("SharedRegion.Delete", e.Message, StringComparison.Ordinal);
        return e.Message;
    }

    /// <summary>On a thread that has process ids of its own.</summary>
    private static void InOtherNamespace(Action action)
    {
        uint usual = ProcessIdentity.Namespace;
        Exception? thrown = null;
        Thread thread = new(() =>
        {
            ProcessIdentity.PretendedNamespace = usual + 1;
            thrown = Record.Exception(action);
        });
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }

    private static void SpoilDevice(string path)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        file.Position = 56;
        int first = file.ReadByte();
        file.Position = 56;
        file.WriteByte((byte)(first + 1));
    }
}
