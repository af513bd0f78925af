namespace Tarn.Tool.Allocations;

/// <summary>Why an array was allocated, on which depends what spares it.</summary>
internal enum AllocationMeans
{
    /// <summary>A method makes an array.</summary>
    NewArray,

    /// <summary>A <c>MemoryStream</c> grows.</summary>
    MemoryStreamGrowth,

    /// <summary>A <c>StringBuilder</c> grows.</summary>
    StringBuilderGrowth,

    /// <summary>A collection grows, such as a <c>List</c>.</summary>
    CollectionGrowth,

    /// <summary>An <c>ArrayBufferWriter</c> grows.</summary>
    WriterGrowth,

    /// <summary>A copy of what exists is made, as by <c>ToArray</c>.</summary>
    Copy,

    /// <summary>Text is encoded or decoded into a new array.</summary>
    Encoding,

    /// <summary>All of a file or a response is read into one array.</summary>
    ReadWhole,

    /// <summary>A pool has no buffer that it could give.</summary>
    PoolMiss,

    /// <summary>Other code of the platform makes an array for itself.</summary>
    Platform,
}
