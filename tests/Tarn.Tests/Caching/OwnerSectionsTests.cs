using Tarn.Tests.Support;

namespace Tarn.Tests.Caching;

/// <summary>The sections of one owner: who finds them, and what its end leaves.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class OwnerSectionsTests
{
    private readonly OwnerSections<HeapSection, HeapThreads.Words> _sections = new(HeapThreads.Directory);

    [Fact]
    public void Each_thread_finds_its_section_and_all_are_listed()
    {
        _sections.Open();
        using Worker first = new();
        using Worker second = new();
        HeapSection ofFirst = first.Run(Add);
        HeapSection ofSecond = second.Run(Add);

        Assert.Same(ofFirst, first.Run(Find));
        Assert.Same(ofSecond, second.Run(Find));
        Assert.Equal([ofFirst, ofSecond], _sections.GetAll());
        _sections.Remove(ofFirst);
        Assert.Equal([ofSecond], _sections.GetAll());
        _sections.Close();
    }

    [Fact]
    public void After_the_end_no_thread_finds_or_adds_a_section()
    {
        _sections.Open();
        using Worker thread = new();
        HeapSection section = thread.Run(Add);
        Assert.False(_sections.IsClosed);
        _sections.Close();

        Assert.True(_sections.IsClosed);
        Assert.Null(thread.Run(Find));
        Assert.False(thread.Run(() => _sections.TryAdd(new HeapSection(heap: null))));
        Assert.Equal([section], _sections.GetAll());
    }

    /// <summary>A finalizer may run again, and by then the index may be another owner's.</summary>
    [Fact]
    public void The_end_gives_the_index_back_once()
    {
        _sections.Open();
        int index = _sections.Index;
        _sections.Close();
        OwnerSections<HeapSection, HeapThreads.Words> next = new(HeapThreads.Directory);
        next.Open();
        Assert.Equal(index, next.Index);
        using Worker thread = new();
        HeapSection section = new(heap: null);
        Assert.True(thread.Run(() => next.TryAdd(section)));

        _sections.Close();

        Assert.Same(section, thread.Run(() => HeapThreads.Directory.Find(index)));
        next.Close();
    }

    private HeapSection Add()
    {
        HeapSection section = new(heap: null);
        Assert.True(_sections.TryAdd(section));
        return section;
    }

    private HeapSection? Find() => HeapThreads.Directory.Find(_sections.Index);
}
