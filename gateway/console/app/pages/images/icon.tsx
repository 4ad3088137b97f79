import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../lib/api.ts";

/** The icon of an image. It needs the token, which an address in the page cannot carry. */
export function ImageIcon({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ["images", id, "icon"],
    queryFn: async () => {
      const { data } = await api.GET("/api/v1/images/{id}/icon", {
        params: { path: { id } },
        parseAs: "blob",
      });
      return data as unknown as Blob;
    },
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return url === undefined ? (
    <span className="image-icon" />
  ) : (
    <img className="image-icon" src={url} alt="" />
  );
}
