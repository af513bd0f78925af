namespace Tarn.Lab.Contenders.Native;

/// <summary>Creates something, such as a trial, for an allocator whose type is known only here.</summary>
internal interface INativeVisitor<out TResult>
{
    TResult Visit<TAllocator>(string name, TAllocator allocator)
        where TAllocator : struct, INativeAllocator;
}
