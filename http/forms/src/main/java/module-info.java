import org.jspecify.annotations.NullMarked;

/// Floor 4: forms: `application/x-www-form-urlencoded` and `multipart/form-data`, as they come in
/// requests and as clients send them.
///
/// ```java
/// .post("/profile").blocking(request ->
///         Forms.DEFAULT.with(request, form -> {
///             form.file("photo").saveTo(photos.resolve(id));
///             return Response.text("hello " + form.text("name"));
///         }))
/// ```
@NullMarked
module io.weft.http.forms {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.forms;
}
