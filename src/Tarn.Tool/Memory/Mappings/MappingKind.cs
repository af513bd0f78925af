namespace Tarn.Tool.Memory.Mappings;

/// <summary>What a mapping is for.</summary>
internal enum MappingKind
{
    /// <summary>Anonymous memory of which nothing tells the owner.</summary>
    Unnamed,

    /// <summary>What the garbage collector reserved.</summary>
    GarbageCollector,

    /// <summary>A heap of one of glibc's arenas.</summary>
    Arena,

    /// <summary>glibc's or musl's main heap, which grows by brk.</summary>
    MainHeap,

    /// <summary>Memory of an allocator that is loaded in place of the C library's.</summary>
    Allocator,

    /// <summary>A region of Tarn's native heaps.</summary>
    Tarn,

    /// <summary>Machine code that the runtime compiled, and its stubs.</summary>
    Code,

    /// <summary>What the runtime keeps of types and methods.</summary>
    LoaderHeap,

    /// <summary>The stack of a thread, or the one on which its signals run.</summary>
    Stack,

    /// <summary>A managed assembly.</summary>
    Assembly,

    /// <summary>A native library or program, with its variables.</summary>
    Library,

    /// <summary>Any other file.</summary>
    File,

    /// <summary>Memory that several processes can share.</summary>
    Shared,

    /// <summary>Anonymous memory to which its owner gave a name.</summary>
    Named,

    /// <summary>What the kernel maps into every process.</summary>
    Kernel,
}
