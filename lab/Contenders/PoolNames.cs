using Tarn.Lab.Model;
using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the contenders.</summary>
internal static class PoolNames
{
    public const string TarnShared = "BufferPool.Shared";
    public const string TarnInstance = "BufferPool.Create";
    public const string TarnVariable = "BufferPool as ArrayPool";
    public const string TarnLease = "BufferPool.Lease";
    public const string TarnLeaseMemory = "BufferPool.LeaseMemory";
    public const string TarnMemoryPool = "BufferPool.AsMemoryPool";
    public const string TarnBesideOthers = "BufferPool beside others";

    public const string BclShared = "ArrayPool.Shared";
    public const string BclBesideOthers = "ArrayPool.Shared beside others";
    public const string BclVariable = "ArrayPool.Shared in a variable";
    public const string BclCreated = "ArrayPool.Create";
    public const string BclMemoryPool = "MemoryPool.Shared";
    public const string ToolkitSpanOwner = "CommunityToolkit SpanOwner";
    public const string ToolkitMemoryOwner = "CommunityToolkit MemoryOwner";
    public const string DotNextMemoryOwner = "DotNext MemoryOwner";

    private static readonly string[] s_ours =
        [
            "BufferPool", "NativeHeap", "NativeScope", "ScratchBuffer", "SharedRegion", "BufferCopy", StreamNames.Tarn,
            MessageNames.Ring, MessageNames.Queue, MessageNames.Topic, ServerNames.Tarn, WriterNames.Tarn, WriterNames.TarnSequence,
        ];

    public static SeriesRole RoleOf(string name) =>
        s_ours.Any(ours => name.StartsWith(ours, StringComparison.Ordinal)) ? SeriesRole.Ours : SeriesRole.Peer;
}
